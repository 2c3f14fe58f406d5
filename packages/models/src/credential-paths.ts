import { homedir } from "node:os";
import { isAbsolute, join, relative, sep } from "node:path";

const lines = (text: string) => text.trim().split(/\s*\n\s*/);

/**
 * Folders and files with credentials, relative to a home folder. Permissions ask before one is read or changed, in every
 * mode, and the sandbox hides them. Files that mainly configure a program (`.gitconfig`, `pip.conf`) are not listed.
 */
export const HOME_CREDENTIALS: readonly string[] = [
  // Keys, password stores and mail.
  ...lines(`
    .ssh
    .gnupg
    .putty
    .pki
    .step
    .age
    .config/age
    .config/sops
    .vault-token
    .password-store
    .local/share/password-store
    .local/share/keyrings
    .local/share/kwalletd
    .gnome2/keyrings
    .config/keepassxc
    .config/Bitwarden
    .config/Bitwarden CLI
    .bitwarden-ssh-agent.sock
    .config/1Password
    .config/op
    .1password
    .op
    .lastpass
    .config/rclone
    .config/filezilla
    .config/remmina
    .local/share/remmina
    .wireguard
    .config/syncthing
    .local/state/syncthing
    .smbcredentials
    .msmtprc
    .config/msmtp
    .mbsyncrc
    .fetchmailrc
    .offlineimaprc
    .thunderbird
    .electrum
    .bitcoin
    .ethereum
    .config/solana
    .Xauthority
    .ICEauthority
    .rhosts
    .shosts`),
  // Clouds, clusters and hosted services.
  ...lines(`
    .aws
    .azure
    .config/gcloud
    .boto
    .s3cfg
    .oci
    .aliyun
    .bluemix
    .kube
    .minikube
    .docker
    .config/containers/auth.json
    .config/helm/registry
    .config/helm/registry.json
    .config/argocd
    .config/doctl
    .config/hcloud
    .config/scw
    .config/linode-cli
    .cloudflared
    .wrangler
    .config/.wrangler
    .fly
    .railway
    .netlify
    .config/netlify
    .vercel
    .local/share/com.vercel.cli
    .config/heroku
    .config/configstore
    .supabase
    .config/stripe
    .config/ngrok
    .ngrok2
    .databrickscfg
    .databricks
    .snowflake
    .snowsql
    .dbt/profiles.yml
    .terraform.d/credentials.tfrc.json
    .terraformrc
    .tofurc
    .pulumi/credentials.json
    .lima
    .colima
    .rd`),
  // Source hosting, package registries and databases.
  ...lines(`
    .netrc
    _netrc
    .authinfo
    .authinfo.gpg
    .git-credentials
    .config/git/credentials
    .cache/git/credential
    .git-credential-cache
    .config/gh
    .config/hub
    .config/glab-cli
    .npmrc
    .config/pnpm/rc
    .yarnrc
    .yarnrc.yml
    .pypirc
    .config/pypoetry/auth.toml
    .local/share/uv/credentials
    .cargo/credentials
    .cargo/credentials.toml
    .gem/credentials
    .bundle/config
    .composer/auth.json
    .config/composer/auth.json
    .nuget/NuGet/NuGet.Config
    .config/NuGet/NuGet.Config
    .m2/settings.xml
    .m2/settings-security.xml
    .gradle/gradle.properties
    .sbt/.credentials
    .ivy2/.credentials
    .hex/hex.config
    .pub-cache/credentials.json
    .config/dart/pub-credentials.json
    .huggingface
    .cache/huggingface/token
    .cache/huggingface/stored_tokens
    .kaggle
    .config/wandb
    .pgpass
    .my.cnf
    .mylogin.cnf`),
  // Other agents: logins, and transcripts that repeat what people typed.
  ...lines(`
    .claude
    .claude.json
    .config/claude
    .codex
    .gemini
    .qwen
    .config/opencode
    .local/share/opencode
    .local/state/opencode
    .config/kilo
    .local/share/kilo
    .kilocode
    .config/github-copilot
    .copilot
    .config/cursor
    .cursor/cli-config.json
    .config/Cursor/User/globalStorage
    .config/Code/User/globalStorage
    .factory
    .augment
    .cline
    .kimi
    .pi
    .omp
    .continue
    .aider.conf.yml
    .config/goose
    .local/share/goose
    .config/amp
    .local/share/amp
    .config/openai
    .config/anthropic`),
  // Browsers and messengers.
  ...lines(`
    .mozilla
    .config/google-chrome
    .config/google-chrome-beta
    .config/chromium
    .config/BraveSoftware
    .config/microsoft-edge
    .config/vivaldi
    .config/opera
    .config/Signal
    .config/Slack
    .config/discord
    .config/Element
    .var/app
    snap/firefox
    snap/chromium
    Library/Keychains
    Library/Cookies
    Library/Safari
    Library/Messages
    Library/Mail
    Library/Application Support/Google/Chrome
    Library/Application Support/Firefox
    Library/Application Support/BraveSoftware
    Library/Application Support/Microsoft Edge
    Library/Application Support/Arc
    Library/Application Support/1Password
    Library/Application Support/Bitwarden
    Library/Application Support/com.apple.TCC`),
  // Histories, which contain passwords that were typed on a command line.
  ...lines(`
    .bash_history
    .zsh_history
    .local/share/fish/fish_history
    .python_history
    .node_repl_history
    .psql_history
    .mysql_history
    .rediscli_history`),
];

/** Credentials of the machine. Relevant to root; other users cannot read most of them. */
export const MACHINE_CREDENTIALS: readonly string[] = lines(`
  /etc/shadow
  /etc/shadow-
  /etc/gshadow
  /etc/gshadow-
  /etc/sudoers
  /etc/sudoers.d
  /etc/security/opasswd
  /etc/ssh/ssh_host_rsa_key
  /etc/ssh/ssh_host_ecdsa_key
  /etc/ssh/ssh_host_ed25519_key
  /etc/ssl/private
  /etc/pki/tls/private
  /etc/letsencrypt
  /etc/krb5.keytab
  /etc/NetworkManager/system-connections
  /etc/wpa_supplicant
  /etc/wireguard
  /etc/openvpn
  /etc/docker
  /etc/kubernetes
  /etc/rancher
  /etc/credstore
  /etc/credstore.encrypted
  /var/lib/kubelet
  /var/lib/docker
  /var/lib/containerd
  /var/lib/containers
  /var/lib/systemd/credential.secret
  /var/lib/sss/secrets
  /Library/Keychains`);

/** Where people's home folders lie, besides `HOME`. */
const HOMES = /^(?:\/root|\/var\/root|\/home\/[^/]+|\/Users\/[^/]+)(?=\/)/;
const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** The names of the credentials below a home folder, as alternatives of a pattern. */
export const HOME_CREDENTIAL_PATTERN = HOME_CREDENTIALS.map(escapePattern).join("|");
const BELOW_HOME = new RegExp(`^/(?:${HOME_CREDENTIAL_PATTERN})(?:/|$)`, "i");

/** Whether the absolute path is a credential of the machine, or lies in one. */
export function isMachineCredential(path: string): boolean {
  return MACHINE_CREDENTIALS.some((folder) => isInside(path, folder));
}

/** The credential files and folders of these home folders and of the machine, whether they exist or not. */
export function credentialPaths(homes: readonly string[]): string[] {
  return [...homes.flatMap((home) => HOME_CREDENTIALS.map((name) => join(home, name))), ...MACHINE_CREDENTIALS];
}

/**
 * Whether the absolute path is a listed credential of the machine or of any person's home folder, or lies in one. A
 * session that works in such a folder is exempt there: its user chose the folder.
 */
export function isCredential(path: string, inside: readonly string[] = [], home = homedir()): boolean {
  const below = isInside(path, home) ? `/${relative(home, path)}` : path.replace(HOMES, "");
  if (!BELOW_HOME.test(below) && !isMachineCredential(path)) return false;
  return !inside.some((folder) => isInside(path, folder) && isCredential(folder, [], home));
}

function isInside(path: string, folder: string): boolean {
  const inner = relative(folder, path);
  return inner === "" || (inner !== ".." && !inner.startsWith(`..${sep}`) && !isAbsolute(inner));
}
