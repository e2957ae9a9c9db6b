//! Users, keys, limits and the audit, as a server uses them.

use std::num::NonZeroU32;
use std::time::Duration;

use jiff::Timestamp;
use qingyu_db::Database;
use qingyu_memory::long_term::Kind;
use qingyu_store::{Call, Runs};
use qingyu_studio::{
    Cost, CreateRequest, CreatedKey, Error, KeyRequest, KeyState, KeyUsageLimits, Right, SpendingBy, Studio,
    UserRequest, UserRole,
};

use crate::{create, finish, offline};

const REQUIREMENT: &str = "A locked-room mystery on a generation ship";

pub(crate) fn key(user: &str, right: Right) -> KeyRequest {
    KeyRequest {
        user: Some(user.into()),
        name: "test".into(),
        right,
        projects: Vec::new(),
        expires: None,
        limits: KeyUsageLimits::default(),
    }
}

async fn make(studio: &Studio, request: KeyRequest) -> CreatedKey {
    studio.access().make_key(request).await.unwrap()
}

/// The studio of whoever shows the key.
async fn shown(studio: &Studio, key: &CreatedKey) -> Result<Studio, Error> {
    Ok(studio.of(&studio.access().authenticate(key.secret.reveal()).await?))
}

async fn with_users(home: &std::path::Path) -> Studio {
    let studio = Studio::open(offline(home)).await.unwrap();
    for (user, role) in [("anna", UserRole::Member), ("ben", UserRole::Member), ("root", UserRole::Admin)] {
        let request = UserRequest { user: user.into(), name: None, role };
        studio.access().add_user(request).await.unwrap();
    }
    studio
}

#[track_caller]
pub(crate) fn code<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    result.unwrap_err().code().to_owned()
}

#[tokio::test]
async fn a_key_opens_the_studio_of_its_user_and_no_other() {
    let home = tempfile::tempdir().unwrap();
    let studio = with_users(home.path()).await;
    let (annas, bens) = (make(&studio, key("anna", Right::Write)).await, make(&studio, key("ben", Right::Read)).await);
    let (anna, ben) = (shown(&studio, &annas).await.unwrap(), shown(&studio, &bens).await.unwrap());
    assert_eq!((anna.scope().user(), anna.scope().key()), ("anna", Some(annas.row.key.as_str())));
    assert_eq!((anna.scope().right(), ben.scope().right()), (Right::Write, Right::Read));
    let (_, outcome) = create(&anna, REQUIREMENT).await;
    assert_eq!(anna.projects().await.unwrap().len(), 1);
    for other in [&ben, &studio] {
        assert!(other.projects().await.unwrap().is_empty() && other.runs().await.unwrap().is_empty());
        assert_eq!(code(other.show(&outcome.project).await), "unknown_project");
        assert_eq!(code(other.outcome(&outcome.run).await), "unknown_run");
    }
    assert_eq!(code(ben.create(CreateRequest::new(REQUIREMENT)).await), "forbidden", "it may only look");
}

#[tokio::test]
async fn whatever_does_not_hold_is_refused_without_a_reason() {
    let home = tempfile::tempdir().unwrap();
    let studio = with_users(home.path()).await;
    let access = studio.access();
    let good = make(&studio, key("anna", Right::Write)).await;
    let whole = good.secret.reveal().to_owned();
    let others = make(&studio, key("anna", Right::Write)).await;
    let soon = Timestamp::now() + Duration::from_millis(400);
    let short = make(&studio, KeyRequest { expires: Some(soon), ..key("anna", Right::Write) }).await;
    assert_eq!((short.row.state, shown(&studio, &short).await.is_ok()), (KeyState::Active, true));
    let told = async |given: String| {
        let error = access.authenticate(&given).await.unwrap_err();
        (error.code().to_owned(), error.to_string(), error.data())
    };
    let unknown = told("hello".into()).await;
    assert_eq!(unknown.0, "unauthorized");
    // Another key's secret under this key's name: well formed, but for its check.
    let mixed = format!("{}{}", &whole[..12], &others.secret.reveal()[12..]);
    for given in [String::new(), whole[..60].to_owned(), mixed] {
        assert_eq!(told(given).await, unknown);
    }
    access.revoke_key(&others.row.prefix).await.unwrap();
    assert_eq!(told(others.secret.reveal().to_owned()).await, unknown, "revoked");
    access.disable_user("anna").await.unwrap();
    assert_eq!(told(whole.clone()).await, unknown, "disabled");
    access.enable_user("anna").await.unwrap();
    assert_eq!(access.authenticate(&whole).await.unwrap().user(), "anna", "let in again");
    while Timestamp::now() < soon {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(told(short.secret.reveal().to_owned()).await, unknown, "expired");
    let states: Vec<_> = access.keys(Some("anna")).await.unwrap().into_iter().map(|row| (row.key, row.state)).collect();
    for (made, state) in [(&good, KeyState::Active), (&others, KeyState::Revoked), (&short, KeyState::Expired)] {
        assert!(states.contains(&(made.row.key.clone(), state)), "{states:?}");
    }
}

#[tokio::test]
async fn the_secret_is_nowhere_but_in_the_answer() {
    let home = tempfile::tempdir().unwrap();
    let studio = with_users(home.path()).await;
    let made = make(&studio, key("anna", Right::Write)).await;
    let whole = made.secret.reveal();
    let secret = &whole[12..55];
    let scope = studio.access().authenticate(whole).await.unwrap();
    let error = studio.access().authenticate(&format!("{whole}x")).await.unwrap_err();
    let rows = studio.access().keys(None).await.unwrap();
    let audit = studio.access().audit(None, 100).await.unwrap();
    let texts = [format!("{made:?}"), format!("{scope:?}"), format!("{error:?} {error} {:?}", error.failure())];
    for text in texts.into_iter().chain([serde_json::to_string(&rows).unwrap(), serde_json::to_string(&audit).unwrap()])
    {
        assert!(!text.contains(secret), "{text}");
    }
    drop(studio);
    for file in std::fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file())
    {
        let bytes = std::fs::read(&file).unwrap();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "{}", file.display());
    }
    assert!(serde_json::to_string(&made).unwrap().contains(whole), "whoever makes it is shown it");
}

#[tokio::test]
async fn a_key_of_projects_sees_no_others_and_none_of_others() {
    let home = tempfile::tempdir().unwrap();
    let studio = with_users(home.path()).await;
    let anna = shown(&studio, &make(&studio, key("anna", Right::Write)).await).await.unwrap();
    let (_, one) = create(&anna, REQUIREMENT).await;
    let (_, other) = create(&anna, REQUIREMENT).await;
    let of = |user: &str, project: &str| KeyRequest { projects: vec![project.into()], ..key(user, Right::Write) };
    assert_eq!(code(studio.access().make_key(of("ben", &one.project)).await), "unknown_project");
    assert_eq!(code(studio.access().make_key(of("anna", "p-nothing")).await), "unknown_project");
    let narrow = make(&studio, of("anna", &one.project)).await;
    assert_eq!(narrow.row.projects.as_deref(), Some([one.project.clone()].as_slice()));
    let narrow = shown(&studio, &narrow).await.unwrap();
    assert_eq!(narrow.projects().await.unwrap().len(), 1);
    assert_eq!(code(narrow.show(&other.project).await), "unknown_project");
    assert_eq!(code(narrow.outcome(&other.run).await), "unknown_run");
    assert_eq!(
        code(narrow.create(CreateRequest::new(REQUIREMENT)).await),
        "forbidden",
        "a new project is not among them"
    );
    assert_eq!(code(narrow.spending(None, SpendingBy::Project).await), "forbidden");
    assert_eq!(code(narrow.spending(Some(&other.project), SpendingBy::Run).await), "unknown_project");
    assert!(narrow.spending(Some(&one.project), SpendingBy::Run).await.is_ok());
    assert_eq!(code(narrow.memories(None, None, None).await), "forbidden", "they are about the user");
    assert_eq!(code(narrow.remember(Kind::Preference, "少用感叹号", None).await), "forbidden");
    assert_eq!(code(narrow.edit_memory("m-1", None, Some(false)).await), "forbidden");
    assert_eq!(code(narrow.forget_memory("m-1").await), "forbidden");
    let keys: Vec<_> = narrow.access().keys(None).await.unwrap().into_iter().map(|row| row.key).collect();
    assert_eq!(keys, [narrow.scope().key().unwrap()], "the other keys name other projects and people");
}

#[tokio::test]
async fn only_admins_change_users_and_keys() {
    let home = tempfile::tempdir().unwrap();
    let studio = with_users(home.path()).await;
    let annas = make(&studio, key("anna", Right::Write)).await;
    let annas_other = make(&studio, key("anna", Right::Read)).await;
    let bens = make(&studio, key("ben", Right::Write)).await;
    let anna = shown(&studio, &annas).await.unwrap().access();
    let reader = shown(&studio, &annas_other).await.unwrap().access();
    assert_eq!(code(anna.users().await), "forbidden");
    assert_eq!(code(anna.add_user(UserRequest { user: "eve".into(), ..UserRequest::default() }).await), "forbidden");
    assert_eq!(code(anna.disable_user("ben").await), "forbidden");
    assert_eq!(code(anna.make_key(key("anna", Right::Read)).await), "forbidden", "not even for oneself");
    assert_eq!(code(anna.keys(Some("ben")).await), "forbidden");
    assert_eq!(code(anna.verify_audit().await), "forbidden");
    assert_eq!(code(anna.revoke_key(&bens.row.key).await), "unknown_key", "what others have is not there");
    assert_eq!(code(reader.revoke_key(&annas.row.key).await), "forbidden");
    let own: Vec<_> = anna.keys(None).await.unwrap().into_iter().map(|row| row.user).collect();
    assert_eq!(own, ["anna", "anna"]);
    reader.revoke_key(&annas_other.row.key).await.unwrap();
    assert_eq!(anna.revoke_key(&annas.row.key).await.unwrap().state, KeyState::Revoked);
    assert!(shown(&studio, &bens).await.is_ok());

    let roots = make(&studio, key("root", Right::Admin)).await;
    let root = shown(&studio, &roots).await.unwrap().access();
    assert_eq!(root.users().await.unwrap().len(), 4);
    root.revoke_key(&bens.row.key).await.unwrap();
    for (request, reason) in [
        (key("anna", Right::Admin), "admin_of_member"),
        (KeyRequest { projects: vec!["p".into()], ..key("root", Right::Admin) }, "admin_of_projects"),
        (KeyRequest { expires: Some(Timestamp::now()), ..key("anna", Right::Read) }, "expired"),
        (KeyRequest { name: "a\nb".into(), ..key("anna", Right::Read) }, "name"),
    ] {
        let error = root.make_key(request).await.unwrap_err();
        assert_eq!((error.code(), &error.data()["reason"]), ("bad_key", &reason.into()));
    }
    assert_eq!(code(root.make_key(key("nobody", Right::Read)).await), "unknown_user");
    let taken = root.add_user(UserRequest { user: "anna".into(), ..UserRequest::default() }).await;
    assert_eq!(taken.unwrap_err().data()["reason"], "taken");
    let unfit = root.add_user(UserRequest { user: "../x".into(), ..UserRequest::default() }).await;
    assert_eq!(unfit.unwrap_err().data()["reason"], "unfit");
}

#[tokio::test]
async fn what_is_done_is_in_the_audit() {
    let home = tempfile::tempdir().unwrap();
    let studio = with_users(home.path()).await;
    let annas = make(&studio, key("anna", Right::Write)).await;
    let anna = shown(&studio, &annas).await.unwrap().access().from("192.0.2.7");
    let refused = anna.disable_user("ben").await.map(drop);
    anna.record("user.disable", "ben", &refused).await.unwrap();
    anna.revoke_key(&annas.row.key).await.unwrap();
    let all = studio.access().audit(None, 3).await.unwrap();
    let told: Vec<_> = all
        .iter()
        .map(|row| (row.seq, row.user.as_str(), row.action.as_str(), row.origin.as_str(), row.result.as_str()))
        .collect();
    let expected = [
        (6, "anna", "key.revoke", "192.0.2.7", "ok"),
        (5, "anna", "user.disable", "192.0.2.7", "forbidden"),
        (4, "local", "key.make", "local", "ok"),
    ];
    assert_eq!(told, expected);
    assert!(all[0].key.as_deref() == Some(&annas.row.key) && all[2].object == annas.row.key);
    let own: Vec<_> = anna.audit(None, 100).await.unwrap().into_iter().map(|row| row.seq).collect();
    assert_eq!(own, [6, 5], "others' are not theirs to see");
    let state = studio.access().verify_audit().await.unwrap();
    assert_eq!((state.rows, state.broken_at, &state.digest), (6, None, &all[0].digest));
}

#[tokio::test]
async fn limits_hold_for_their_key_alone() {
    let home = tempfile::tempdir().unwrap();
    let studio = with_users(home.path()).await;
    let limited = |limits: KeyUsageLimits| KeyRequest { limits, ..key("anna", Right::Write) };
    let free = shown(&studio, &make(&studio, key("anna", Right::Write)).await).await.unwrap();
    let one_a_minute = KeyUsageLimits { requests_per_minute: NonZeroU32::new(1), ..KeyUsageLimits::default() };
    let made = make(&studio, limited(one_a_minute.clone())).await;
    assert_eq!(made.row.limits, one_a_minute);
    shown(&studio, &made).await.unwrap().access().admit().unwrap();
    let again = shown(&studio, &made).await.unwrap().access().admit().unwrap_err();
    assert!((1..=60).contains(&again.data()["retry_after"].as_u64().unwrap()), "{again:?}");
    (0..1000).for_each(|_| free.access().admit().unwrap());

    let no_runs = make(&studio, limited(KeyUsageLimits { parallel_runs: Some(0), ..KeyUsageLimits::default() })).await;
    let no_runs = shown(&studio, &no_runs).await;
    let refused = no_runs.unwrap().create(CreateRequest::new(REQUIREMENT)).await.unwrap_err();
    assert_eq!((refused.code(), &refused.data()["limit"]), ("limit", &"parallel_runs".into()));
    assert!(free.projects().await.unwrap().is_empty(), "nothing is kept of what is refused");

    let money = Some(Cost { micros: 1_000_000, currency: "CNY".into() });
    let few = KeyUsageLimits { tokens_per_day: Some(1), money_per_day: money, ..KeyUsageLimits::default() };
    let few = shown(&studio, &make(&studio, limited(few)).await).await.unwrap();
    finish(few.create(CreateRequest::new(REQUIREMENT)).await.unwrap()).await;
    let database = Database::open(&home.path().join("qingyu.db"), qingyu_db::Settings::default()).await.unwrap();
    let paid = Call { input: 1, cost_micros: Some(0), ..Call::default() };
    let runs = Runs::new(&database, "anna").with_key(few.scope().key());
    runs.record_outside(None, paid, Timestamp::now()).await.unwrap();
    let Error::Limit(exceeded) = few.create(CreateRequest::new(REQUIREMENT)).await.unwrap_err() else { panic!() };
    assert_eq!(serde_json::json!(exceeded)["limit"], "tokens_per_day");
    assert_eq!(exceeded.most, 1);
    assert!((1..=25 * 3600).contains(&exceeded.retry_after));
    create(&free, REQUIREMENT).await;
}

#[tokio::test]
async fn the_keys_of_one_member_share_their_limits() {
    let home = tempfile::tempdir().unwrap();
    let studio = with_users(home.path()).await;
    let (_, book) = create(&studio, REQUIREMENT).await;
    let two_a_minute = KeyUsageLimits { requests_per_minute: NonZeroU32::new(2), ..KeyUsageLimits::default() };
    let named = |name: &str| KeyRequest {
        name: name.into(),
        projects: vec![book.project.clone()],
        limits: two_a_minute.clone(),
        ..key("local", Right::Read)
    };
    let one = shown(&studio, &make(&studio, named("林梅")).await).await.unwrap();
    let other = shown(&studio, &make(&studio, named("林梅")).await).await.unwrap();
    let ben = shown(&studio, &make(&studio, named("Ben")).await).await.unwrap();
    one.access().admit().unwrap();
    other.access().admit().unwrap();
    for member in [&one, &other] {
        let refused = member.access().admit().unwrap_err();
        assert_eq!((refused.code(), &refused.data()["limit"]), ("limit", &"requests_per_minute".into()));
    }
    ben.access().admit().unwrap();
}

#[tokio::test]
async fn recordings_are_named_by_run_and_are_those_of_the_caller() {
    let home = tempfile::tempdir().unwrap();
    let studio = with_users(home.path()).await;
    let (anna, ben) = (make(&studio, key("anna", Right::Write)).await, make(&studio, key("ben", Right::Write)).await);
    let (anna, ben) = (shown(&studio, &anna).await.unwrap(), shown(&studio, &ben).await.unwrap());
    let (_, outcome) = create(&anna, REQUIREMENT).await;
    let with = |model: String| CreateRequest { model: Some(model), ..CreateRequest::new(REQUIREMENT) };
    for name in ["cassette", "recording"] {
        let again = anna.create(with(format!("{name}:{}", outcome.run))).await.unwrap();
        let (events, again) = finish(again).await;
        assert_eq!(again.status, outcome.status);
        let model = serde_json::to_value(&events[0]).unwrap()["model"]["model"].clone();
        assert_eq!(model, format!("recording:{}", outcome.run), "no path is told");
        assert_eq!(code(ben.create(with(format!("{name}:{}", outcome.run))).await), "unknown_run");
    }
    // The machine's own user names files; nobody else does, however the name is written.
    let file = studio.cassette(&outcome.run);
    let (_, played) = finish(studio.create(with(format!("cassette:{}", file.display()))).await.unwrap()).await;
    assert_eq!(played.status, outcome.status);
    for given in [format!("cassette:{}", file.display()), "cassette:../x".into(), "CASSETTE:/dev/zero".into()] {
        assert_eq!(code(anna.create(with(given)).await), "forbidden");
    }
    for (given, why) in
        [("/dev/zero", "it is no regular file"), ("/", "it is no regular file"), ("/nope", "No such file")]
    {
        let Err(Error::BadCassette { message, .. }) = studio.create(with(format!("cassette:{given}"))).await else {
            panic!("{given} was taken");
        };
        assert!(message.starts_with(why), "{given}: {message}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_runs_begun_at_once_as_many_work_as_the_key_allows() {
    let home = tempfile::tempdir().unwrap();
    let silent = qingyu_llm::testing::ScriptedModel::responding("silent", |_| qingyu_llm::Reply::default().into());
    let silent = std::sync::Arc::new(silent.with_latency(Duration::from_secs(3_600)));
    let studio = crate::studio(home.path(), qingyu_llm::ModelRoutes::new(silent)).await;
    let request = UserRequest { user: "anna".into(), name: None, role: UserRole::Member };
    studio.access().add_user(request).await.unwrap();
    let few = KeyUsageLimits { parallel_runs: Some(2), ..KeyUsageLimits::default() };
    let made = make(&studio, KeyRequest { limits: few, ..key("anna", Right::Write) }).await;
    let anna = shown(&studio, &made).await.unwrap();
    let begin = |_| {
        let anna = anna.clone();
        tokio::spawn(async move { anna.create(CreateRequest::new(REQUIREMENT)).await })
    };
    let begun = futures::future::join_all((0..20).map(begin)).await;
    let (begun, refused): (Vec<_>, Vec<_>) = begun.into_iter().map(Result::unwrap).partition(Result::is_ok);
    assert_eq!((begun.len(), refused.len()), (2, 18));
    for refused in refused {
        let Err(Error::Limit(exceeded)) = refused else { panic!("{refused:?}") };
        assert_eq!(serde_json::json!(exceeded)["limit"], "parallel_runs");
        assert_eq!(exceeded.most, 2);
    }
    assert_eq!(anna.runs().await.unwrap().len(), 2, "what is refused leaves nothing behind");
    for run in begun {
        run.unwrap().cancel();
    }
}
