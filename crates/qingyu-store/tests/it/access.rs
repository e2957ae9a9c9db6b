//! Users, keys, the audit, and requests that are carried out once.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use qingyu_db::Database;
use qingyu_db::sql::Connection;
use qingyu_store::{
    AccountRole, Accounts, ApiKey, Audit, AuditAct, Call, Error, Idempotency, KeyLimits, Keys, NewRun, RequestStart,
    RunStatus, Runs, UserAccount,
};
use serde_json::json;

use crate::{at, database, project};

fn act(action: &str, object: &str) -> AuditAct {
    AuditAct {
        user: "local".into(),
        action: action.into(),
        object: object.into(),
        origin: "test".into(),
        result: "ok".into(),
        ..AuditAct::default()
    }
}

fn account(id: &str, role: AccountRole) -> UserAccount {
    UserAccount { id: id.into(), name: id.to_uppercase(), role, created: at(1), disabled: None }
}

fn key(id: &str, user: &str) -> ApiKey {
    ApiKey {
        id: id.into(),
        user: user.into(),
        name: "editor".into(),
        secret_digest: "ab".repeat(32),
        right: "write".into(),
        projects: Some(vec!["p-1".into()]),
        created: at(2),
        expires: Some(at(100)),
        revoked: None,
        last_used: None,
        limits: KeyLimits { requests_per_minute: Some(60), money_per_day: Some(5), ..KeyLimits::default() },
    }
}

async fn sql(database: &Database, sql: &'static str) {
    let job = move |connection: &Connection<'_>| {
        for statement in sql.split(';').filter(|statement| !statement.trim().is_empty()) {
            connection.execute(statement, ())?;
        }
        Ok::<_, Error>(())
    };
    database.write(job).await.unwrap();
}

#[tokio::test]
async fn users_are_added_once_and_switched_off_and_on() {
    let database = database().await;
    let accounts = Accounts::new(&database);
    accounts.add(account("anna", AccountRole::Member), act("user.add", "anna")).await.unwrap();
    let again = accounts.add(account("anna", AccountRole::Admin), act("user.add", "anna")).await;
    assert!(matches!(again, Err(Error::AccountExists { id }) if id == "anna"));
    let ids: Vec<_> = accounts.list().await.unwrap().into_iter().map(|found| (found.id, found.role)).collect();
    assert_eq!(
        ids,
        [("anna".into(), AccountRole::Member), ("local".into(), AccountRole::Admin)],
        "who is at the machine is there"
    );

    for second in [5, 6] {
        let off = accounts.switch("anna", false, act("user.disable", "anna"), at(second)).await.unwrap();
        assert_eq!(off.disabled, Some(at(5)), "off since the first time");
    }
    let on = accounts.switch("anna", true, act("user.enable", "anna"), at(7)).await.unwrap();
    assert_eq!((on.disabled, on.created), (None, at(1)));
    let nobody = accounts.switch("nobody", false, act("user.disable", "nobody"), at(8)).await;
    assert!(matches!(nobody, Err(Error::UnknownAccount { given }) if given == "nobody"));

    let told: Vec<_> = Audit::new(&database).list(None, None, 9).await.unwrap();
    let told: Vec<_> = told.iter().map(|row| row.act.action.as_str()).collect();
    assert_eq!(told, ["user.enable", "user.disable", "user.disable", "user.add"], "what failed did not happen");
}

#[tokio::test]
async fn keys_are_kept_as_they_were_made_and_end() {
    let database = database().await;
    let keys = Keys::new(&database);
    Accounts::new(&database).add(account("anna", AccountRole::Member), act("user.add", "anna")).await.unwrap();
    keys.add(key("k1", "anna"), act("key.make", "k1")).await.unwrap();
    assert!(keys.add(key("k1", "anna"), act("key.make", "k1")).await.is_err(), "ids are given once");
    assert!(keys.add(key("k2", "nobody"), act("key.make", "k2")).await.is_err(), "a key is somebody's");
    keys.add(key("k3", "local"), act("key.make", "k3")).await.unwrap();

    let (found, owner) = keys.find("k1").await.unwrap().unwrap();
    assert_eq!((found, owner.id.as_str(), owner.role), (key("k1", "anna"), "anna", AccountRole::Member));
    assert_eq!(keys.find("k2").await.unwrap(), None);
    let ids = |rows: Vec<ApiKey>| rows.into_iter().map(|key| key.id).collect::<Vec<_>>();
    assert_eq!(ids(keys.list(Some("anna")).await.unwrap()), ["k1"]);
    assert_eq!(ids(keys.list(None).await.unwrap()), ["k1", "k3"]);

    keys.change_right("k3", "comment", false, act("key.right", "k3"), at(8)).await.unwrap();
    assert_eq!(keys.find("k3").await.unwrap().unwrap().0, ApiKey { right: "comment".into(), ..key("k3", "local") });
    let unknown = keys.change_right("k2", "read", false, act("key.right", "k2"), at(8)).await;
    assert!(matches!(unknown, Err(Error::UnknownKey { given }) if given == "k2"));

    keys.used("k1", at(9)).await.unwrap();
    for second in [10, 11] {
        keys.revoke("k1", act("key.revoke", "k1"), at(second)).await.unwrap();
    }
    let (ended, _) = keys.find("k1").await.unwrap().unwrap();
    assert_eq!((ended.last_used, ended.revoked), (Some(at(9)), Some(at(10))));
    let unknown = keys.revoke("k2", act("key.revoke", "k2"), at(12)).await;
    assert!(matches!(unknown, Err(Error::UnknownKey { given }) if given == "k2"));
    let shown = format!("{ended:?}");
    assert!(!shown.contains("abab"), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_members_added_at_once_under_one_name_one_is_added() {
    let database = database().await;
    let keys = Keys::new(&database);
    let member =
        |id: &str, name: &str, second: i64| ApiKey { name: name.into(), created: at(second), ..key(id, "local") };
    let adding = (0..8).map(|number| {
        let (keys, id) = (keys.clone(), format!("k{number}"));
        let (member, act) = (member(&id, "林梅", 2), act("key.make", &id));
        tokio::spawn(async move { keys.add_member(member, act).await })
    });
    let added: Vec<_> = futures::future::join_all(adding).await.into_iter().map(|added| added.unwrap()).collect();
    assert_eq!(added.iter().filter(|added| added.is_ok()).count(), 1, "{added:?}");
    for refused in added.iter().filter(|added| added.is_err()) {
        assert!(matches!(refused, Err(Error::MemberExists { name }) if name == "林梅"), "{refused:?}");
    }
    let listed = keys.list(Some("local")).await.unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(Audit::new(&database).list(None, None, 9).await.unwrap().len(), 1, "what failed did not happen");

    // Another name, another project; then the same name, once it is free again.
    keys.add_member(member("ben", "Ben", 2), act("key.make", "ben")).await.unwrap();
    let elsewhere = ApiKey { projects: Some(vec!["p-2".into()]), ..member("elsewhere", "林梅", 2) };
    keys.add_member(elsewhere, act("key.make", "elsewhere")).await.unwrap();
    keys.revoke(&listed[0].id, act("key.revoke", &listed[0].id), at(3)).await.unwrap();
    keys.add_member(member("again", "林梅", 4), act("key.make", "again")).await.unwrap();
    assert!(keys.add_member(member("early", "林梅", 99), act("key.make", "early")).await.is_err());
    keys.add_member(member("late", "林梅", 101), act("key.make", "late")).await.unwrap();
}

#[tokio::test]
async fn a_raised_key_stays_within_the_bounds_of_its_owner() {
    let database = database().await;
    let keys = Keys::new(&database);
    keys.add(key("k1", "local"), act("key.make", "k1")).await.unwrap();
    let limits = KeyLimits { requests_per_minute: Some(90), tokens_per_day: Some(7), ..KeyLimits::default() };
    keys.raise_right("k1", "approve", limits, Some(at(50)), act("key.right", "k1"), at(3)).await.unwrap();
    let found = keys.find("k1").await.unwrap().unwrap().0;
    let limits = KeyLimits { tokens_per_day: Some(7), ..key("k1", "local").limits };
    assert_eq!(found, ApiKey { right: "approve".into(), expires: Some(at(50)), limits, ..key("k1", "local") });

    let money = |micros: u64, currency: &str| KeyLimits {
        money_per_day: Some(micros),
        currency: Some(currency.into()),
        ..KeyLimits::default()
    };
    assert_eq!(money(5, "CNY").within(money(3, "CNY")), money(3, "CNY"));
    assert_eq!(money(5, "CNY").within(money(9, "USD")), money(9, "USD"));
    assert_eq!(money(5, "CNY").within(KeyLimits::default()), money(5, "CNY"));
    assert_eq!(KeyLimits::default().within(money(5, "CNY")), money(5, "CNY"));
    let unknown = keys.raise_right("k2", "write", KeyLimits::default(), None, act("key.right", "k2"), at(3)).await;
    assert!(matches!(unknown, Err(Error::UnknownKey { given }) if given == "k2"));
}

#[tokio::test]
async fn a_project_has_at_most_fifty_members() {
    let database = database().await;
    let keys = Keys::new(&database);
    let member = |number: usize| ApiKey { name: format!("m{number}"), ..key(&format!("k{number}"), "local") };
    for number in 0..50 {
        keys.add_member(member(number), act("key.make", "k")).await.unwrap();
    }
    let refused = keys.add_member(member(50), act("key.make", "k")).await;
    assert!(matches!(refused, Err(Error::TooManyMembers { limit: 50 })), "{refused:?}");
    keys.revoke("k7", act("key.revoke", "k7"), at(3)).await.unwrap();
    keys.add_member(member(50), act("key.make", "k")).await.unwrap();
}

#[tokio::test]
async fn the_runs_of_a_key_stop_once_it_may_not_write() {
    let database = database().await;
    let project = project(&database, "local").await.id;
    let keys = Keys::new(&database);
    keys.add(key("k1", "local"), act("key.make", "k1")).await.unwrap();
    let runs = Runs::new(&database, "local");
    let new = || NewRun { requirement: "写".into(), config: json!({}), model: "m".into() };
    let of_key = runs.clone().with_key(Some("k1")).create(&project, new(), Vec::new(), at(1)).await.unwrap().id;
    let other = runs.create(&project, new(), vec![of_key.clone()], at(1)).await.unwrap().id;
    keys.change_right("k1", "approve", true, act("key.right", "k1"), at(2)).await.unwrap();
    assert!(!runs.is_to_stop(&of_key).await.unwrap(), "it may write still");
    keys.change_right("k1", "suggest", false, act("key.right", "k1"), at(3)).await.unwrap();
    assert!(runs.is_to_stop(&of_key).await.unwrap() && !runs.is_to_stop(&other).await.unwrap());
}

#[tokio::test]
async fn a_key_that_is_revoked_begins_nothing_and_its_runs_are_to_stop() {
    let database = database().await;
    let accounts = Accounts::new(&database);
    accounts.add(account("anna", AccountRole::Member), act("user.add", "anna")).await.unwrap();
    let (first, second) = (project(&database, "anna").await.id, project(&database, "anna").await.id);
    let keys = Keys::new(&database);
    keys.add(key("k1", "anna"), act("key.make", "k1")).await.unwrap();
    let (runs, with_key) = (Runs::new(&database, "anna"), Runs::new(&database, "anna").with_key(Some("k1")));
    let new = || NewRun { requirement: "写".into(), config: json!({}), model: "m".into() };
    let of_key = with_key.create(&first, new(), Vec::new(), at(1)).await.unwrap().id;
    let other = runs.create(&second, new(), Vec::new(), at(1)).await.unwrap().id;
    let few = with_key.clone().with_parallel(Some(1)).create(&second, new(), vec![other.clone()], at(2)).await;
    assert!(matches!(few, Err(Error::KeyBusy { most: 1 })), "{few:?}");

    keys.revoke("k1", act("key.revoke", "k1"), at(3)).await.unwrap();
    assert!(runs.is_to_stop(&of_key).await.unwrap() && !runs.is_to_stop(&other).await.unwrap());
    let refused = with_key.create(&second, new(), vec![other.clone()], at(4)).await;
    assert!(matches!(&refused, Err(Error::KeyRevoked { id }) if id == "k1"), "{refused:?}");
    accounts.switch("anna", false, act("user.disable", "anna"), at(5)).await.unwrap();
    assert!(runs.is_to_stop(&other).await.unwrap(), "nothing of a user who is disabled goes on");
}

#[tokio::test]
async fn what_is_used_is_counted_by_key() {
    let database = database().await;
    let project = project(&database, "local").await.id;
    let (keys, runs) = (Keys::new(&database), Runs::new(&database, "local"));
    let with_key = runs.clone().with_key(Some("k1"));
    let new = || NewRun { requirement: "写".into(), config: json!({}), model: "m".into() };
    let mine = with_key.create(&project, new(), Vec::new(), at(1)).await.unwrap().id;
    let others = runs.create(&project, new(), vec![mine.clone()], at(1)).await.unwrap().id;
    let call = |key: &str, cost: Option<u64>| Call {
        key: key.into(),
        input: 10,
        output: 5,
        cost_micros: cost,
        currency: cost.map(|_| "CNY".into()),
        ..Call::default()
    };
    let played = Call { replayed: true, ..call("played", Some(99)) };
    let calls = vec![call("a", Some(7)), call("b", None), played];
    // What continues a run for its user, as a server does that takes over, has no key: the run keeps its own.
    runs.record_calls(&mine, calls, at(60)).await.unwrap();
    runs.resumed(&runs.get(&mine).await.unwrap(), None).await.unwrap();
    runs.record_calls(&mine, vec![call("yesterday", Some(1000))], at(5)).await.unwrap();
    runs.record_calls(&others, vec![call("a", Some(500))], at(60)).await.unwrap();
    with_key.record_outside(Some(&project), call("", Some(3)), at(61)).await.unwrap();
    runs.record_outside(Some(&project), call("", Some(4)), at(61)).await.unwrap();

    let used = keys.usage("local", "k1", None, at(60)).await.unwrap();
    assert_eq!((used.runs_at_work, used.tokens, used.unpriced), (1, 45, 1));
    assert_eq!(used.micros, BTreeMap::from([("CNY".to_owned(), 10)]));
    let others_of_key = keys.usage("local", "k1", Some(&mine), at(60)).await.unwrap();
    assert_eq!((others_of_key.tokens, others_of_key.unpriced), (15, 0), "what one run has spent is left out");
    runs.ended(&mine, RunStatus::Done, json!({}), json!("done"), at(70)).await.unwrap();
    assert_eq!(keys.usage("local", "k1", None, at(60)).await.unwrap().runs_at_work, 0);
    assert_eq!(keys.usage("anna", "k1", None, at(60)).await.unwrap().tokens, 15, "only runs of the user are looked at");
    with_key.resumed(&runs.get(&others).await.unwrap(), None).await.unwrap();
    assert_eq!(
        keys.usage("local", "k1", None, at(60)).await.unwrap().runs_at_work,
        1,
        "whoever goes on answers for it"
    );
}

#[tokio::test]
async fn the_keys_of_one_member_are_counted_together() {
    let database = database().await;
    let project = project(&database, "local").await.id;
    let (keys, runs) = (Keys::new(&database), Runs::new(&database, "local"));
    let named = |id: &str, name: &str, projects: &[&str]| {
        let projects = Some(projects.iter().map(|&project| project.to_owned()).collect());
        ApiKey { name: name.into(), projects, ..key(id, "local") }
    };
    for key in [
        named("k1", "林梅", &["p-1"]),
        named("k2", "林梅", &["p-1"]),
        named("other", "Ben", &["p-1"]),
        named("elsewhere", "林梅", &["p-2"]),
        named("two", "林梅", &["p-1", "p-2"]),
        named("three", "林梅", &["p-1", "p-2"]),
        named("nameless", "", &["p-1"]),
        named("unnamed", "", &["p-1"]),
    ] {
        let id = key.id.clone();
        keys.add(key, act("key.make", &id)).await.unwrap();
    }
    let call = Call { input: 10, output: 5, cost_micros: Some(7), currency: Some("CNY".into()), ..Call::default() };
    let new = || NewRun { requirement: "写".into(), config: json!({}), model: "m".into() };
    let with = |key: &str| runs.clone().with_key(Some(key));
    let mine = with("k1").create(&project, new(), Vec::new(), at(1)).await.unwrap().id;
    runs.record_calls(&mine, vec![Call { key: "a".into(), ..call.clone() }], at(60)).await.unwrap();
    with("k2").record_outside(Some(&project), call.clone(), at(61)).await.unwrap();
    for key in ["two", "nameless"] {
        with(key).record_outside(Some(&project), call.clone(), at(61)).await.unwrap();
    }

    for (key, tokens, at_work) in [
        ("k1", 30, 1),
        ("k2", 30, 1),
        ("other", 0, 0),
        ("elsewhere", 0, 0),
        ("two", 15, 0),
        ("three", 0, 0),
        ("nameless", 15, 0),
        ("unnamed", 0, 0),
    ] {
        let used = keys.usage("local", key, None, at(60)).await.unwrap();
        assert_eq!((used.tokens, used.runs_at_work), (tokens, at_work), "{key}");
    }
    let refused = with("k2").with_parallel(Some(1)).create(&project, new(), vec![mine.clone()], at(62)).await;
    assert!(matches!(refused, Err(Error::KeyBusy { most: 1 })), "{refused:?}");
    keys.revoke("k1", act("key.revoke", "k1"), at(63)).await.unwrap();
    assert_eq!(
        keys.usage("local", "k2", None, at(60)).await.unwrap().tokens,
        30,
        "a new key does not begin at nothing"
    );
}

async fn audited(acts: usize) -> Database {
    let database = database().await;
    let audit = Audit::new(&database);
    for number in 1..=acts {
        let user = if number % 2 == 0 { "anna" } else { "local" };
        let act =
            AuditAct { user: user.into(), key: Some(format!("k{number}")), ..act("run.start", &format!("r-{number}")) };
        audit.append(act, at(number as i64)).await.unwrap();
    }
    // What whoever holds the file can do.
    let guard = "DROP TRIGGER audit_is_not_changed; DROP TRIGGER audit_is_not_deleted";
    sql(&database, database.dialect().choose(guard, "ALTER TABLE audit DISABLE TRIGGER audit_is_not_changed")).await;
    database
}

#[tokio::test]
async fn the_audit_is_listed_by_pages_and_by_user() {
    let audit = Audit::new(&audited(5).await);
    let seqs = |rows: Vec<qingyu_store::AuditRow>| rows.into_iter().map(|row| row.seq).collect::<Vec<_>>();
    assert_eq!(seqs(audit.list(None, None, 3).await.unwrap()), [5, 4, 3]);
    assert_eq!(seqs(audit.list(None, Some(3), 3).await.unwrap()), [2, 1]);
    assert_eq!(seqs(audit.list(Some("anna"), None, 9).await.unwrap()), [4, 2]);
    assert_eq!(seqs(audit.list(Some("nobody"), None, 9).await.unwrap()), [0; 0]);
}

#[tokio::test]
async fn the_audit_refuses_to_be_changed() {
    let database = database().await;
    Audit::new(&database).append(act("a", "b"), at(1)).await.unwrap();
    for sql in ["UPDATE audit SET result = 'no'", "DELETE FROM audit"] {
        let job = move |connection: &Connection<'_>| Ok::<_, Error>(connection.execute(sql, ())?);
        assert!(database.write(job).await.is_err(), "{sql}");
    }
    assert_eq!(Audit::new(&database).verify().await.unwrap().broken_at, None);
}

#[tokio::test]
async fn a_forged_audit_is_found_out_at_the_first_bad_row() {
    for (what, forgery, broken_at) in [
        ("nothing", "", None),
        ("a changed result", "UPDATE audit SET result = 'failed' WHERE seq = 3", Some(3)),
        ("a changed time", "UPDATE audit SET at = '2020-01-01T00:00:00Z' WHERE seq = 1", Some(1)),
        ("a key taken out", "UPDATE audit SET key_id = NULL WHERE seq = 4", Some(4)),
        ("words moved between columns", "UPDATE audit SET action = 'run.startr-2', object = '' WHERE seq = 2", Some(2)),
        ("a row gone from the middle", "DELETE FROM audit WHERE seq = 3", Some(3)),
        ("a row gone from the beginning", "DELETE FROM audit WHERE seq = 1", Some(1)),
        ("a row gone from the end", "DELETE FROM audit WHERE seq = 5", Some(5)),
        ("all gone", "DELETE FROM audit", Some(1)),
        ("the end forgotten", "DELETE FROM audit_head", Some(6)),
        (
            "two changed about",
            "UPDATE audit SET seq = 9 WHERE seq = 2; UPDATE audit SET seq = 2 WHERE seq = 3;
          UPDATE audit SET seq = 3 WHERE seq = 9",
            Some(2),
        ),
        (
            "a row put in",
            "INSERT INTO audit SELECT 6, at, user_id, key_id, action, object, origin, result, digest FROM audit WHERE seq = 5",
            Some(6),
        ),
        (
            "another's digest",
            "UPDATE audit SET digest = (SELECT digest FROM audit WHERE seq = 2) WHERE seq = 4",
            Some(4),
        ),
    ] {
        let database = audited(5).await;
        sql(&database, forgery).await;
        let check = Audit::new(&database).verify().await.unwrap();
        assert_eq!(check.broken_at, broken_at, "{what}");
        assert_eq!(check.rows, broken_at.map_or(5, |at| at - 1), "{what}");
    }
}

#[tokio::test]
async fn a_long_audit_is_checked_by_pages_while_it_grows() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&folder.path().join("a.db"), qingyu_db::Settings::default()).await.unwrap();
    qingyu_store::migrate(&database).await.unwrap();
    let audit = Audit::new(&database);
    let appends = (1..=5000).map(|number| audit.append(act("a", &number.to_string()), at(number)));
    futures::future::join_all(appends).await.into_iter().for_each(|appended| appended.unwrap());
    let growing = {
        let audit = audit.clone();
        tokio::spawn(async move {
            for number in 0..50 {
                audit.append(act("b", ""), at(number)).await.unwrap();
            }
        })
    };
    for _ in 0..5 {
        let check = audit.verify().await.unwrap();
        assert!(check.broken_at.is_none() && check.rows >= 5000, "{check:?}");
    }
    growing.await.unwrap();
    assert_eq!(audit.verify().await.unwrap().rows, 5050);
}

const HOUR: Duration = Duration::from_secs(3600);

fn fresh(begun: RequestStart) -> qingyu_store::RequestTicket {
    match begun {
        RequestStart::Fresh(ticket) => ticket,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_request_is_carried_out_once_and_its_answer_kept_for_a_day() {
    let database = database().await;
    let once = Idempotency::new(&database);
    let ticket = fresh(once.begin("anna", "k", "POST /runs 1", at(0)).await.unwrap());
    assert_eq!(once.begin("anna", "k", "POST /runs 1", at(1)).await.unwrap(), RequestStart::Running);
    assert_eq!(once.begin("anna", "k", "POST /runs 2", at(1)).await.unwrap(), RequestStart::OtherRequest);
    fresh(once.begin("ben", "k", "POST /runs 2", at(1)).await.unwrap());
    assert!(once.finish(&ticket, 201, &json!({"run": "r-1"})).await.unwrap());
    assert!(!once.finish(&ticket, 500, &json!({})).await.unwrap(), "an answer stands");
    assert!(!once.release(&ticket).await.unwrap());
    let done = RequestStart::Done { status: 201, answer: json!({"run": "r-1"}) };
    let day: Timestamp = at(0) + 24 * HOUR;
    assert_eq!(once.begin("anna", "k", "POST /runs 1", day).await.unwrap(), done);
    assert_eq!(once.begin("anna", "k", "POST /runs 2", day).await.unwrap(), RequestStart::OtherRequest);
    fresh(once.begin("anna", "k", "POST /runs 2", day + Duration::from_secs(1)).await.unwrap());
}

#[tokio::test]
async fn what_a_dead_process_has_left_is_taken_over() {
    let database = database().await;
    let once = Idempotency::new(&database);
    let first = fresh(once.begin("anna", "k", "r", at(0)).await.unwrap());
    assert_eq!(once.begin("anna", "k", "r", at(10)).await.unwrap(), RequestStart::Running, "it may live still");
    assert!(once.keep(&first, at(8)).await.unwrap());
    assert_eq!(once.begin("anna", "k", "r", at(18)).await.unwrap(), RequestStart::Running, "it was heard");
    assert_eq!(once.begin("anna", "k", "other", at(19)).await.unwrap(), RequestStart::OtherRequest);
    let second = fresh(once.begin("anna", "k", "r", at(19)).await.unwrap());
    assert!(!once.keep(&first, at(112)).await.unwrap(), "it is not its any more");
    assert!(!once.finish(&first, 200, &json!("late")).await.unwrap());
    assert!(!once.release(&first).await.unwrap());
    assert!(once.release(&second).await.unwrap(), "told that nothing was done");
    let third = fresh(once.begin("anna", "k", "r", at(113)).await.unwrap());
    assert!(once.finish(&third, 200, &json!("third")).await.unwrap());
    let done = RequestStart::Done { status: 200, answer: json!("third") };
    assert_eq!(once.begin("anna", "k", "r", at(9999)).await.unwrap(), done);
}

/// Two handles on one file are what two processes have: each its own connections, with locks of the file between them.
#[tokio::test(flavor = "multi_thread")]
async fn of_many_at_once_one_carries_it_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut handles = Vec::new();
    for _ in 0..2 {
        let database = Database::open(&path, qingyu_db::Settings::default()).await.unwrap();
        qingyu_store::migrate(&database).await.unwrap();
        handles.push(database);
    }
    for round in 0..20 {
        let begins = (0..16).map(|number| {
            let once = Idempotency::new(&handles[number % 2]);
            tokio::spawn(async move { once.begin("anna", &format!("k{round}"), "r", at(0)).await.unwrap() })
        });
        let begun: Vec<_> = futures::future::join_all(begins).await.into_iter().map(|begun| begun.unwrap()).collect();
        let fresh = begun.iter().filter(|begun| matches!(begun, RequestStart::Fresh(_))).count();
        let running = begun.iter().filter(|begun| **begun == RequestStart::Running).count();
        assert_eq!((fresh, running), (1, 15));
    }
}

/// Names the file in which a child process of the test below begins its requests.
const CHILD: &str = "QINGYU_TEST_IDEMPOTENCY";

#[tokio::test]
async fn a_child_begins_what_others_begin_as_well() {
    // On its own it does nothing: the test below runs it in processes of their own.
    let Some(path) = std::env::var_os(CHILD) else { return };
    let database = Database::open(path.as_ref(), qingyu_db::Settings::default()).await.unwrap();
    let (once, mut fresh) = (Idempotency::new(&database), 0);
    for number in 0..REQUESTS {
        let begun = once.begin("anna", &format!("k{number}"), "r", Timestamp::now()).await.unwrap();
        assert!(matches!(begun, RequestStart::Fresh(_) | RequestStart::Running), "{begun:?}");
        fresh += usize::from(matches!(begun, RequestStart::Fresh(_)));
    }
    println!("fresh: {fresh};");
}

const REQUESTS: usize = 200;

#[tokio::test]
async fn of_several_processes_one_carries_it_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let database = Database::open(&path, qingyu_db::Settings::default()).await.unwrap();
    qingyu_store::migrate(&database).await.unwrap();
    let child = || {
        std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "--nocapture", "access::a_child_begins_what_others_begin_as_well"])
            .env(CHILD, &path)
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap()
    };
    let children: Vec<_> = (0..3).map(|_| child()).collect();
    let mut fresh = Vec::new();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{text}");
        let count = text.split("fresh: ").nth(1).and_then(|rest| rest.split(';').next()).unwrap();
        fresh.push(count.parse::<usize>().unwrap());
    }
    assert_eq!(fresh.iter().sum::<usize>(), REQUESTS, "each by one of them: {fresh:?}");
}
