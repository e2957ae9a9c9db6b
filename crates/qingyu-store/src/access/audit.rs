//! The audit log, a hash chain: changes, deletions and insertions in between are detectable.
//!
//! An attacker with write access to the database can rebuild the whole chain; as a defence, record the last digest
//! elsewhere.

use jiff::Timestamp;
use qingyu_db::Database;
use qingyu_db::sql::{Connection, Row};
use qingyu_story::digest::sha256;

use crate::Error;
use crate::row::{from_count, to_count, to_json, to_time};

/// Number of rows verified per read.
const PAGE: i64 = 2048;

const COLUMNS: &str = "seq, at, user_id, key_id, action, object, origin, result, digest";

/// An audited action. Contains names and ids, never contents or secrets.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuditAct {
    /// The user.
    pub user: String,
    /// The key used to authenticate.
    pub key: Option<String>,
    /// The action, such as `key.make`.
    pub action: String,
    /// The object, such as the id of a key.
    pub object: String,
    /// The origin of the request.
    pub origin: String,
    /// The result: `ok`, or an error code.
    pub result: String,
}

/// An entry of the audit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRow {
    /// Sequence number, from 1.
    pub seq: u64,
    /// Time of the action.
    pub at: Timestamp,
    /// The action.
    pub act: AuditAct,
    /// The digest of all entries up to here.
    pub digest: String,
}

/// The result of verifying the whole chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditCheck {
    /// Number of valid entries, from the first.
    pub rows: u64,
    /// The digest of the last valid entry.
    pub digest: String,
    /// The first sequence number with a changed, inserted or missing entry.
    pub broken_at: Option<u64>,
}

/// The audit of a database.
#[derive(Debug, Clone)]
pub struct Audit {
    database: Database,
}

impl Audit {
    /// Returns the audit of `database`.
    pub fn new(database: &Database) -> Self {
        Self { database: database.clone() }
    }

    /// Appends an action.
    pub async fn append(&self, act: AuditAct, at: Timestamp) -> Result<(), Error> {
        self.database.write(move |connection| append(connection, &act, at)).await
    }

    /// Returns at most `most` entries before sequence number `before`, newest first; by default of all users.
    pub async fn list(&self, user: Option<&str>, before: Option<u64>, most: usize) -> Result<Vec<AuditRow>, Error> {
        let user = user.map(str::to_owned);
        let (before, most) = (before.map_or(i64::MAX, to_count), to_count(most as u64));
        let job = move |connection: &Connection| match user {
            Some(user) => {
                select(connection, "user_id = ?3 AND seq < ?1 ORDER BY seq DESC LIMIT ?2", (before, most, user))
            }
            None => select(connection, "seq < ?1 ORDER BY seq DESC LIMIT ?2", (before, most)),
        };
        self.database.read(job).await
    }

    /// Verifies the chain; the result has the first broken place.
    pub async fn verify(&self) -> Result<AuditCheck, Error> {
        let mut check = AuditCheck { rows: 0, digest: String::new(), broken_at: None };
        loop {
            let after = to_count(check.rows);
            let page = self.database.read(move |connection: &Connection| page(connection, after));
            let (rows, head) = page.await?;
            let is_last = (rows.len() as i64) < PAGE;
            for row in rows {
                if row.seq != check.rows + 1 || row.digest != digest_after(&check.digest, row.seq, row.at, &row.act) {
                    return Ok(AuditCheck { broken_at: Some(check.rows + 1), ..check });
                }
                (check.rows, check.digest) = (row.seq, row.digest);
            }
            if is_last {
                let ends_well = head == (to_count(check.rows), check.digest.clone());
                let broken_at = (!ends_well).then_some(check.rows + 1);
                return Ok(AuditCheck { broken_at, ..check });
            }
        }
    }
}

/// Returns the digest of an entry following the digest `before`, in hexadecimal.
fn digest_after(before: &str, seq: u64, at: Timestamp, act: &AuditAct) -> String {
    let AuditAct { user, key, action, object, origin, result } = act;
    let row = to_json(&(before, seq, at.to_string(), user, key, action, object, origin, result));
    sha256(row.as_bytes())
}

/// Appends an action in the caller's transaction.
pub(crate) fn append(connection: &Connection, act: &AuditAct, at: Timestamp) -> Result<(), Error> {
    let turn = "UPDATE audit_head SET seq = seq + 1 WHERE id = 1 RETURNING seq, digest";
    let (seq, before): (i64, String) =
        connection.prepare_cached(turn)?.query_row((), |row| Ok((row.get(0)?, row.get(1)?)))?;
    let digest = digest_after(&before, from_count(seq), at, act);
    let AuditAct { user, key, action, object, origin, result } = act;
    connection
        .prepare_cached(
            "INSERT INTO audit(seq, at, user_id, key_id, action, object, origin, result, digest)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute((seq, at.to_string(), user, key, action, object, origin, result, &digest))?;
    connection.prepare_cached("UPDATE audit_head SET digest = ?1 WHERE id = 1")?.execute([digest])?;
    Ok(())
}

/// Fetches a page of the chain, and the end of the chain. A single statement, so that concurrent inserts are not
/// reported as damage.
fn page(connection: &Connection, after: i64) -> Result<(Vec<AuditRow>, (i64, String)), Error> {
    let sql = format!(
        "SELECT {COLUMNS}, head_seq, head_digest
         FROM (SELECT coalesce(max(seq), 0) AS head_seq, coalesce(max(digest), '') AS head_digest FROM audit_head) AS head
         LEFT JOIN (SELECT {COLUMNS} FROM audit WHERE seq > ?1 ORDER BY seq LIMIT ?2) AS page ON TRUE
         ORDER BY seq"
    );
    let mut select = connection.prepare_cached(&sql)?;
    let mut found = select.query((after, PAGE))?;
    let (mut rows, mut head) = (Vec::new(), (0, String::new()));
    while let Some(row) = found.next()? {
        head = (row.get(9)?, row.get(10)?);
        if row.get::<_, Option<i64>>(0)?.is_some() {
            rows.push(read(&row)?);
        }
    }
    Ok((rows, head))
}

fn select(
    connection: &Connection,
    condition: &str,
    parameters: impl qingyu_db::sql::Params,
) -> Result<Vec<AuditRow>, Error> {
    let sql = format!("SELECT {COLUMNS} FROM audit WHERE {condition}");
    let mut select = connection.prepare_cached(&sql)?;
    let rows = select.query_map(parameters, |row| Ok(read(row)))?;
    rows.map(|row| row?).collect()
}

fn read(row: &Row<'_>) -> Result<AuditRow, Error> {
    Ok(AuditRow {
        seq: from_count(row.get(0)?),
        at: to_time(&row.get::<_, String>(1)?)?,
        act: AuditAct {
            user: row.get(2)?,
            key: row.get(3)?,
            action: row.get(4)?,
            object: row.get(5)?,
            origin: row.get(6)?,
            result: row.get(7)?,
        },
        digest: row.get(8)?,
    })
}
