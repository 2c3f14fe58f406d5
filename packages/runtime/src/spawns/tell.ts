/** What agents are told where the settings want it. Three lines: it stands before every conversation. */
export const SPAWN_HINT = `You can have other agents work for you: \`"$GANTRY_BIN" run --detach -a <agent> --mode <plan|ask|auto-edit|full-auto> "what to do"\` begins a session of its own and prints its id. \`"$GANTRY_BIN" agents\` lists the agents; the mode may not be above your own.
You need not wait for it: end your turn, and you get a message with its last words and the files that it changed when it is done. To wait in place: \`"$GANTRY_BIN" wait <id>\`.
\`"$GANTRY_BIN" ls\`, \`show\`, \`logs\`, \`send\` and \`interrupt\` work on the sessions that you began. Approvals in them are for a person to give.`;
