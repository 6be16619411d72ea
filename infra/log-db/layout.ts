import type { Database } from '../sqlite/binding.ts'
import type { FileKind } from '../sqlite/open.ts'

/** Tables of the first version. The comments stay in the file, for people who open it with another tool. */
const FIRST = `
  CREATE TABLE event (
    position INTEGER PRIMARY KEY, -- in the whole log, from 0, without gaps
    id TEXT NOT NULL,
    repeatable INTEGER NOT NULL, -- 1: an append of the same ids to the stream changes nothing
    stream TEXT NOT NULL, -- kind of record and its id: contact-42
    revision INTEGER NOT NULL, -- in the stream, from 0, without gaps
    type TEXT NOT NULL,
    data TEXT NOT NULL, -- JSON; what is personal is sealed under a key of the person
    metadata TEXT NOT NULL, -- JSON: at, actor, workspace_id, team_id, $correlationId, $causationId, v
    checksum INTEGER NOT NULL, -- CRC-32 of the other columns
    time TEXT AS (metadata ->> '$.at') VIRTUAL
  ) STRICT;
  CREATE UNIQUE INDEX event_in_stream ON event (stream, revision);
  CREATE UNIQUE INDEX event_repeatable ON event (stream, id) WHERE repeatable = 1;
  CREATE TRIGGER event_never_updated BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
  CREATE TRIGGER event_never_deleted BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
  CREATE TABLE claim (
    key TEXT PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER NOT NULL, note TEXT,
    until INTEGER -- milliseconds since 1970 after which it counts as free
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX claim_until ON claim (until) WHERE until IS NOT NULL;
  CREATE TABLE key (
    subject INTEGER PRIMARY KEY, -- whose key; 0: a fingerprint of the master secret
    slot INTEGER, -- number of the other half, in key-halves
    half BLOB -- NULL once it has been destroyed
  ) STRICT;
  CREATE INDEX key_destroyed ON key (slot) WHERE half IS NULL;
  CREATE TABLE checkpoint (reactor TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`

const COUNTERS = `
  CREATE TABLE counter (
    name TEXT PRIMARY KEY, -- a kind of record, or a number that people see with its workspace
    value INTEGER NOT NULL -- the last number that was given
  ) STRICT, WITHOUT ROWID;
`

/** Tables of the reactor store, except for the checkpoint. */
const REACTOR_STORE = `
  CREATE TABLE owed ( -- reactions that wait: for their next try, or behind another in their lane
    lane TEXT NOT NULL, -- what must go in order; begins with the name of the reaction
    position INTEGER NOT NULL, -- of the event
    reaction TEXT NOT NULL,
    gate TEXT NOT NULL, -- what is waited for together with others
    workspace_id INTEGER, -- NULL: of none
    attempts INTEGER NOT NULL, -- tries that have failed
    due INTEGER, -- not before, in milliseconds since 1970; NULL: when the row before it in its lane is gone
    error TEXT, -- what the last try failed with
    PRIMARY KEY (lane, position)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE dead ( -- reactions that were given up: their lanes go on without them
    lane TEXT NOT NULL,
    position INTEGER NOT NULL,
    reaction TEXT NOT NULL,
    gate TEXT NOT NULL,
    workspace_id INTEGER,
    attempts INTEGER NOT NULL,
    at TEXT NOT NULL, -- when it was given up
    error TEXT NOT NULL,
    PRIMARY KEY (lane, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX dead_in_workspace ON dead (workspace_id, lane, position);
  CREATE TABLE refused ( -- commands that followed from events and were refused
    workspace_id INTEGER,
    number INTEGER NOT NULL, -- in the workspace, counting up; the last thousand are kept
    reaction TEXT NOT NULL,
    position INTEGER NOT NULL,
    at TEXT NOT NULL,
    reason TEXT NOT NULL
  ) STRICT;
  CREATE INDEX refused_in_workspace ON refused (workspace_id, number);
  CREATE TABLE cursor ( -- how far something has got that goes on after a kill
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL -- JSON
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE reaction ( -- those that take part
    name TEXT PRIMARY KEY,
    since INTEGER NOT NULL -- position behind which it takes part
  ) STRICT, WITHOUT ROWID;
`

const BEHIND = `
  CREATE TABLE behind ( -- gates that had no room for everything
    gate TEXT PRIMARY KEY,
    reaction TEXT NOT NULL,
    after INTEGER NOT NULL -- position behind which what is for it is still to be taken up
  ) STRICT, WITHOUT ROWID;
`

/** No table changes. But a `half` may be longer since keys are wrapped with a check, so older versions must not open such a file. */
const CHECKED_KEYS = 'SELECT 1'

/** `log.db`: the events, and the data that is decided and stored together with them. */
export const LOG_FILE: FileKind = {
  name: 'event log',
  steps: [
    (db: Database) => db.exec(FIRST),
    (db) => db.exec(COUNTERS),
    (db) => db.exec(REACTOR_STORE),
    (db) => db.exec(BEHIND),
    (db) => db.exec(CHECKED_KEYS),
  ],
  readFrom: 1,
}

/**
 * A commit is on disk when it returns. A thread makes checkpoints, because a checkpoint blocks the thread that makes it. Space that the write-ahead
 * log took during a long read is freed afterwards.
 */
export const WRITER_PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 0;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA cache_size = -16000;
`

/** Short wait for a lock once the file is open: `GroupCommit` retries between turns of the event loop. */
export const BUSY_TIMEOUT_PRAGMA = 'PRAGMA busy_timeout = 50'
