/** Every error code of the API with its status. Messages are written where the error arises. */
export const errorTable = {
  bad_request: 400,
  bad_json: 400,
  unauthorized: 401,
  bad_ticket: 401,
  foreign_host: 403,
  foreign_origin: 403,
  outside_folder: 403,
  not_permitted: 403,
  not_found: 404,
  no_such_session: 404,
  no_such_message: 404,
  no_such_input: 404,
  no_such_item: 404,
  no_such_agent: 404,
  no_such_grant: 404,
  no_such_terminal: 404,
  no_such_preview: 404,
  no_such_server: 404,
  no_such_skill: 404,
  no_such_profile: 404,
  no_such_identity: 404,
  no_such_lane: 404,
  no_such_schedule: 404,
  no_such_launch: 404,
  no_such_landing: 404,
  no_such_turn: 404,
  no_such_revert: 404,
  no_such_conversation: 404,
  no_such_limit: 404,
  no_such_model: 404,
  method_not_allowed: 404,
  conflict: 409,
  already_answered: 409,
  already_sent: 409,
  turn_running: 409,
  /** Something runs in the lane, or a session works in it. */
  lane_in_use: 409,
  /** Files in it are changed or untracked. */
  lane_dirty: 409,
  /** It has commits that are nowhere else. */
  lane_unpushed: 409,
  lane_locked: 409,
  /** Another git holds the repository's lock file, or left it behind. */
  git_locked: 409,
  /** git refused; the message has its own last words. */
  git_failed: 409,
  /** The branch that is to move has changes in its work tree. */
  target_dirty: 409,
  /** Git cannot join the two sides; `details.files` names where. */
  merge_conflict: 409,
  /** A hook of the repository said no; the message has what it printed. */
  hook_failed: 409,
  input_pending: 409,
  handoff_pending: 409,
  other_family: 409,
  session_ended: 410,
  /** The lane's folder is no longer there. */
  lane_gone: 410,
  no_checkpoint: 410,
  too_large: 413,
  unsupported_media: 400,
  invalid: 422,
  unsupported: 422,
  not_a_repository: 422,
  /** Git does not know under whose name to commit. */
  no_identity: 422,
  /** A repository without any commit: nothing can be begun from it. */
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
