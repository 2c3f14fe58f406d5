/**
 * The tables of a new database: what all migrations together make of an empty one. A migration that changes a table is also
 * applied here by hand; `migrations.test.ts` compares the two.
 */
export const SCHEMA = `
CREATE TABLE events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL,
  seq INTEGER NOT NULL,
  type TEXT NOT NULL,
  item TEXT,
  body TEXT NOT NULL,
  UNIQUE (session, seq)
);
CREATE INDEX events_by_item ON events (session, item) WHERE item IS NOT NULL;
CREATE INDEX events_of_turns ON events (session, seq) WHERE (type = 'turn.started' OR type = 'turn.ended' OR type = 'diff.updated');

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  agent TEXT NOT NULL,
  title TEXT NOT NULL,
  state TEXT NOT NULL,
  cwd TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  last_seq INTEGER NOT NULL,
  pending INTEGER NOT NULL,
  archived INTEGER NOT NULL,
  view TEXT NOT NULL,
  request TEXT,
  env TEXT NOT NULL DEFAULT '{}',
  deleted INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX sessions_by_age ON sessions (created_at, id);

CREATE TABLE inputs (
  id TEXT PRIMARY KEY,
  session TEXT NOT NULL,
  seq INTEGER NOT NULL,
  state TEXT NOT NULL,
  resolution TEXT
) WITHOUT ROWID;
CREATE INDEX inputs_by_session ON inputs (session);
CREATE INDEX inputs_pending ON inputs (state) WHERE state = 'pending';

CREATE TABLE messages (
  session TEXT NOT NULL,
  id TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (session, id)
) WITHOUT ROWID;

CREATE TABLE usage (
  session TEXT NOT NULL,
  seq INTEGER NOT NULL,
  agent TEXT NOT NULL,
  model TEXT,
  day TEXT NOT NULL,
  input INTEGER NOT NULL,
  output INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  reasoning INTEGER NOT NULL,
  usd_agent REAL NOT NULL,
  usd_list REAL NOT NULL,
  at TEXT NOT NULL DEFAULT '',
  lane TEXT,
  turn TEXT,
  unpriced INTEGER NOT NULL DEFAULT 0,
  ttft_ms INTEGER,
  PRIMARY KEY (session, seq)
) WITHOUT ROWID;
CREATE INDEX usage_by_time ON usage (at);

CREATE TABLE blob_refs (
  session TEXT NOT NULL,
  blob TEXT NOT NULL,
  PRIMARY KEY (session, blob)
) WITHOUT ROWID;
CREATE INDEX blob_refs_by_blob ON blob_refs (blob);

CREATE TABLE spools (
  process TEXT PRIMARY KEY,
  session TEXT NOT NULL,
  offset INTEGER NOT NULL DEFAULT 0,
  err_offset INTEGER NOT NULL DEFAULT 0,
  mark TEXT,
  mark_offset INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX spools_by_session ON spools (session);

CREATE TABLE journal (
  id TEXT PRIMARY KEY,
  process TEXT NOT NULL,
  session TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  at_offset INTEGER NOT NULL,
  frame TEXT NOT NULL,
  key TEXT,
  repeat TEXT NOT NULL,
  state TEXT NOT NULL,
  UNIQUE (process, ordinal)
) WITHOUT ROWID;
CREATE INDEX journal_by_session ON journal (session);

CREATE TABLE processes (
  id TEXT PRIMARY KEY,
  session TEXT NOT NULL,
  agent TEXT NOT NULL,
  bin TEXT NOT NULL,
  version TEXT,
  cwd TEXT NOT NULL,
  dir TEXT NOT NULL,
  created_at TEXT NOT NULL,
  pid INTEGER,
  pgid INTEGER,
  started_at TEXT,
  ended_at TEXT,
  code INTEGER,
  signal TEXT
) WITHOUT ROWID;
CREATE INDEX processes_by_session ON processes (session);
CREATE INDEX processes_open ON processes (created_at) WHERE ended_at IS NULL;

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE records (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) WITHOUT ROWID;

CREATE VIRTUAL TABLE search USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2');
`;
