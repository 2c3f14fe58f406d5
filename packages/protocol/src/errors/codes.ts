/** Every error code of the API and its HTTP status. */
export const errorTable = {
  bad_request: 400,
  bad_json: 400,
  unauthorized: 401,
  bad_ticket: 401,
  foreign_host: 403,
  foreign_origin: 403,
  outside_folder: 403,
  not_permitted: 403,
  /** The folder supplies what would run, and the user has not trusted it. `details.items` lists it. */
  untrusted: 403,
  not_found: 404,
  no_such_session: 404,
  no_such_message: 404,
  no_such_input: 404,
  no_such_item: 404,
  no_such_task: 404,
  no_such_comment: 404,
  no_such_agent: 404,
  no_such_grant: 404,
  no_such_subscription: 404,
  no_such_terminal: 404,
  no_such_preview: 404,
  no_such_server: 404,
  no_such_skill: 404,
  no_such_profile: 404,
  no_such_identity: 404,
  no_such_prompt: 404,
  no_such_lane: 404,
  no_such_schedule: 404,
  no_such_launch: 404,
  no_such_landing: 404,
  no_such_turn: 404,
  no_such_event: 404,
  no_such_revert: 404,
  no_such_conversation: 404,
  no_such_limit: 404,
  no_such_model: 404,
  no_such_provider: 404,
  no_such_project: 404,
  method_not_allowed: 404,
  conflict: 409,
  already_answered: 409,
  already_sent: 409,
  /** The message was sent into the running turn, and the agent does not give it back. */
  already_read: 409,
  turn_running: 409,
  /** A process or a session uses the lane. */
  lane_in_use: 409,
  /** The lane has changed or untracked files. */
  lane_dirty: 409,
  /** The lane has commits that exist nowhere else. */
  lane_unpushed: 409,
  lane_locked: 409,
  /** The repository's lock file exists: another git process runs, or one crashed. */
  git_locked: 409,
  /** git failed; the message has the end of its output. */
  git_failed: 409,
  /** The target branch has uncommitted changes in its work tree. */
  target_dirty: 409,
  /** The merge has conflicts; `details.files` lists them. */
  merge_conflict: 409,
  /** A hook of the repository failed; the message has its output. */
  hook_failed: 409,
  input_pending: 409,
  handoff_pending: 409,
  other_family: 409,
  /** Push notifications are switched off. */
  push_off: 409,
  session_ended: 410,
  /** The lane's folder is missing. */
  lane_gone: 410,
  no_checkpoint: 410,
  too_large: 413,
  unsupported_media: 400,
  invalid: 422,
  unsupported: 422,
  not_a_repository: 422,
  /** git has no author identity. */
  no_identity: 422,
  /** The repository has no commit to start from. */
  no_commits: 422,
  damaged_file: 422,
  queue_full: 429,
  too_many_terminals: 429,
  too_many_previews: 429,
  too_many_spawns: 429,
  internal: 500,
  unavailable: 503,
  agent_unavailable: 503,
  storage_full: 503,
} as const;

export type ErrorCode = keyof typeof errorTable;
