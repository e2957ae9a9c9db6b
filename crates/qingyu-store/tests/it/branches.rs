//! A story told in two ways.

use qingyu_knowledge::Query;
use qingyu_store::{Error, Projects, Search, Stories, StorySave, branches, change};
use qingyu_story::{ChangeKey, Document, Provenance, Story};

use crate::{at, database, project};

fn book(texts: &[&str]) -> Story {
    let document = |(place, text): (usize, &&str)| Document {
        id: format!("d-{}", place + 1),
        title: format!("第{}章", place + 1),
        order: u32::try_from(place).unwrap() + 1,
        version: 1,
        text: (*text).into(),
        ..Document::default()
    };
    Story { documents: texts.iter().enumerate().map(document).collect(), ..Story::default() }
}

async fn save(stories: &Stories, project: &str, texts: &[&str]) -> u64 {
    let kept = stories.load(project).await.unwrap();
    let mut after = book(texts);
    after.premise.clone_from(&kept.story.premise);
    let save = StorySave {
        project: project.into(),
        key: ChangeKey { run: "r".into(), step: texts.join("|"), iteration: 0 },
        provenance: Provenance::default(),
        expected: Some(kept.version),
        changes: change::difference(&kept.story, &after),
    };
    stories.save(save, at(2)).await.unwrap().version
}

fn texts(story: &Story) -> Vec<&str> {
    story.documents.iter().map(|document| document.text.as_str()).collect()
}

#[tokio::test]
async fn a_branch_shares_the_log_up_to_a_change_and_goes_its_own_way() {
    let database = database().await;
    let (stories, projects) = (Stories::new(&database, "甲"), Projects::new(&database, "甲"));
    let parent = project(&database, "甲").await.id;
    save(&stories, &parent, &["林深见鹿"]).await;
    save(&stories, &parent, &["海蓝见鲸", "灯"]).await;
    let branch = stories.branch(&parent, "旧", Some(1), at(3)).await.unwrap();
    assert_eq!((branch.version, branch.branch.as_ref().unwrap().base), (1, 1));
    let kept = stories.load(&branch.id).await.unwrap();
    assert_eq!(texts(&kept.story), ["林深见鹿"]);
    // Numbers of ids are not given again on either side, so they are those of the project.
    let rebuilt = stories.rebuild(&branch.id).await.unwrap();
    assert_eq!(rebuilt.documents, kept.story.documents, "the log and the pieces agree");

    save(&stories, &branch.id, &["林深见鹿", "雪"]).await;
    assert_eq!(texts(&stories.load(&parent).await.unwrap().story), ["海蓝见鲸", "灯"]);
    let search = Search::new(&database, "甲");
    let found = |project: String, words: &'static str| {
        let search = search.clone();
        async move { search.search(&project, Query::new(words)).await.unwrap().len() }
    };
    assert!(found(branch.id.clone(), "林深见鹿").await > 0, "a branch is searched from its beginning");
    assert_eq!(found(branch.id.clone(), "海蓝").await, 0);

    let names = |of: Vec<qingyu_store::Project>| of.into_iter().map(|one| one.branch.unwrap().name).collect::<Vec<_>>();
    stories.branch(&parent, "今", None, at(4)).await.unwrap();
    assert_eq!(names(projects.branches(&parent).await.unwrap()), ["今", "旧"]);
    let twice = stories.branch(&parent, "旧", None, at(5)).await;
    assert!(matches!(twice, Err(Error::BranchExists { .. })), "{twice:?}");
    assert!(matches!(stories.branch(&parent, "新", Some(9), at(5)).await, Err(Error::UnknownChange { .. })));
    assert_eq!(projects.list().await.unwrap().len(), 3, "what was refused has left nothing");
    let other = Stories::new(&database, "乙").branch(&parent, "乙", None, at(5)).await;
    assert!(matches!(other, Err(Error::UnknownProject { .. })), "{other:?}");
}

#[tokio::test]
async fn two_at_once_make_one_branch() {
    let database = database().await;
    let stories = Stories::new(&database, "甲");
    let parent = project(&database, "甲").await.id;
    save(&stories, &parent, &["林"]).await;
    let tries = (0..8).map(|_| stories.branch(&parent, "一", None, at(3)));
    let ended = futures::future::join_all(tries).await;
    assert_eq!(ended.iter().filter(|made| made.is_ok()).count(), 1);
    assert!(
        ended.iter().flatten().count() == 1 && ended.iter().any(|made| matches!(made, Err(Error::BranchExists { .. })))
    );
    assert_eq!(Projects::new(&database, "甲").branches(&parent).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_merge_is_refused_if_a_side_has_moved_and_noted_if_not() {
    let database = database().await;
    let stories = Stories::new(&database, "甲");
    let parent = project(&database, "甲").await.id;
    save(&stories, &parent, &["林"]).await;
    let branch = stories.branch(&parent, "一", None, at(3)).await.unwrap().id;
    let merged = save(&stories, &branch, &["林", "雪"]).await;
    let save_of = |expected| StorySave {
        project: parent.clone(),
        key: ChangeKey { run: "merge".into(), step: branch.clone(), iteration: 0 },
        provenance: Provenance::default(),
        expected: Some(expected),
        changes: change::difference(&book(&["林"]), &book(&["林", "雪"])),
    };
    for (version, expected) in [(merged - 1, 1), (merged, 0)] {
        let refused = stories.merge(&branch, version, save_of(expected), at(4)).await;
        assert!(matches!(refused, Err(Error::Conflict { .. })), "{refused:?}");
    }
    let base = || async { Projects::new(&database, "甲").get(&branch).await.unwrap().branch.unwrap().base };
    assert_eq!(base().await, 1, "what is refused is not noted");
    assert_eq!(stories.merge(&branch, merged, save_of(1), at(4)).await.unwrap().unwrap().version, 2);
    assert_eq!(base().await, merged);
    assert_eq!(texts(&stories.load(&parent).await.unwrap().story), ["林", "雪"]);
}

#[tokio::test]
async fn what_is_forgotten_leaves_nothing_and_others_alone() {
    let database = database().await;
    let stories = Stories::new(&database, "甲");
    let parent = project(&database, "甲").await.id;
    save(&stories, &parent, &["林深见鹿"]).await;
    let branch = stories.branch(&parent, "一", None, at(3)).await.unwrap().id;
    stories.branch(&branch, "一之一", None, at(4)).await.unwrap();
    assert!(
        matches!(stories.forget_branch(&parent, "一").await, Err(Error::BranchExists { .. })),
        "it has one of its own"
    );
    stories.forget_branch(&branch, "一之一").await.unwrap();
    stories.forget_branch(&parent, "一").await.unwrap();
    assert!(matches!(stories.forget_branch(&parent, "一").await, Err(Error::UnknownBranch { .. })));
    let left = |connection: &qingyu_db::sql::Connection<'_>| {
        let mut count = 0_i64;
        for table in ["piece", "story_change", "chunk", "search_source", "search_index", "document_head"] {
            let sql = format!("SELECT count(*) FROM {table} WHERE project_id NOT IN (SELECT id FROM project)");
            count += connection.prepare_cached(&sql)?.query_row((), |row| row.get::<_, i64>(0))?;
        }
        let projects = connection.prepare_cached("SELECT count(*) FROM project")?.query_row((), |row| row.get(0))?;
        Ok::<(i64, i64), Error>((count, projects))
    };
    assert_eq!(database.read(left).await.unwrap(), (0, 1));
    let found = Search::new(&database, "甲").search(&parent, Query::new("林深见鹿")).await.unwrap();
    assert!(!found.is_empty());
}

#[test]
fn pieces_are_compared_on_three_sides() {
    let base = book(&["甲", "乙", "丙", "丁"]);
    let mut ours = book(&["甲", "乙改", "丙改", "丁改"]);
    let mut theirs = book(&["甲改", "乙", "丙改", "丁另改"]);
    ours.documents.push(Document { id: "d-9".into(), text: "新".into(), ..Document::default() });
    theirs.documents.remove(1);
    let told: Vec<String> = branches::compare(&base, &ours, &theirs)
        .into_iter()
        .map(|piece| {
            let sign = |yes: bool, sign: &str| if yes { sign.to_owned() } else { String::new() };
            let sides = sign(piece.in_project(), "p") + &sign(piece.in_branch(), "b") + &sign(piece.is_conflict(), "!");
            format!("{} {sides}", piece.id)
        })
        .collect();
    assert_eq!(told, ["d-1 b", "d-2 pb!", "d-3 pb", "d-4 pb!", "d-9 p"]);
}
