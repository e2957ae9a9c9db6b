use qingyu_store::{
    EarlierProject, Error, ProductionSchedule, ProjectStatus, Projects, ScheduledTurn, Stories, StorySave, change,
};
use qingyu_story::{
    ChangeKey, Character, CharacterRelation, EarlierKind, Location, OutlineNode, Provenance, Story, StyleGuide,
    Worldview,
};

use crate::{at, database, project};

/// A story with these characters, in this order; the id is the name's first letter.
fn cast(names: &[&str]) -> Story {
    let character = |name: &&str| Character { id: format!("c-{name}"), name: (*name).into(), ..Character::default() };
    Story { premise: "灯塔".into(), characters: names.iter().map(character).collect(), ..Story::default() }
}

fn save(project: &str, step: &str, before: &Story, after: &Story) -> StorySave {
    StorySave {
        project: project.into(),
        key: ChangeKey { run: "r-1".into(), step: step.into(), iteration: 0 },
        provenance: Provenance {
            agent: format!("{step}_agent"),
            prompt_hash: Some("abc".into()),
            model: Some("scripted".into()),
            tokens: 7,
            ..Provenance::default()
        },
        expected: None,
        changes: change::difference(before, after),
    }
}

/// Every kind of piece, with an empty and a double id among them.
fn full() -> Story {
    let named = |id: &str, name: &str| OutlineNode { id: id.into(), name: name.into(), ..OutlineNode::default() };
    Story {
        worldview: Some(Worldview {
            era: "2077".into(),
            locations: vec![Location { id: "l-1".into(), name: "码头".into(), ..Location::default() }],
            ..Worldview::default()
        }),
        outline_nodes: vec![named("o-1", "雨夜"), named("", "空"), named("o-1", "重"), named("o-9", "终")],
        character_relations: vec![CharacterRelation {
            id: "r-1".into(),
            strength: 0.3,
            ..CharacterRelation::default()
        }],
        style: Some(StyleGuide { tone: "冷".into(), ..StyleGuide::default() }),
        ..cast(&["甲", "乙"])
    }
}

#[tokio::test]
async fn what_was_saved_is_loaded() {
    let database = database().await;
    let id = project(&database, "local").await.id;
    let stories = Stories::new(&database, "local");
    let saved = stories.save(save(&id, "all", &Story::default(), &full()), at(2)).await.unwrap();
    assert_eq!((saved.version, saved.pieces, saved.fresh), (1, 10, true));
    let loaded = stories.load(&id).await.unwrap();
    let last_ids = loaded.story.last_ids.clone();
    assert_eq!(loaded.story, Story { last_ids: last_ids.clone(), ..full() });
    assert_eq!(last_ids.get("o"), Some(&9));
}

#[tokio::test]
async fn the_log_gives_the_story_that_is_kept() {
    let database = database().await;
    let id = project(&database, "local").await.id;
    let stories = Stories::new(&database, "local");
    let mut before = Story::default();
    let states = [full(), cast(&["甲", "乙"]), cast(&["丙", "甲", "乙"]), cast(&["乙", "丁", "丙"]), cast(&[])];
    for (round, after) in states.iter().enumerate() {
        stories.save(save(&id, &round.to_string(), &before, after), at(2)).await.unwrap();
        let kept = stories.load(&id).await.unwrap();
        assert_eq!(kept.version, round as u64 + 1);
        assert_eq!(kept.story, Story { last_ids: kept.story.last_ids.clone(), ..after.clone() });
        assert_eq!(stories.rebuild(&id).await.unwrap(), kept.story);
        before = after.clone();
    }
    assert_eq!(stories.load(&id).await.unwrap().story.last_ids.get("o"), Some(&9), "numbers survive deletion");
}

#[tokio::test]
async fn the_same_key_saves_once() {
    let database = database().await;
    let id = project(&database, "local").await.id;
    let stories = Stories::new(&database, "local");
    let first = save(&id, "character", &Story::default(), &cast(&["甲"]));
    stories.save(first.clone(), at(2)).await.unwrap();
    let again = stories.save(first, at(3)).await.unwrap();
    assert_eq!((again.version, again.pieces, again.fresh), (1, 0, false));
    assert_eq!(stories.changes(&id).await.unwrap().len(), 1);

    let next_round = StorySave {
        key: ChangeKey { run: "r-1".into(), step: "character".into(), iteration: 1 },
        ..save(&id, "character", &cast(&["甲"]), &cast(&["甲", "乙"]))
    };
    assert!(stories.save(next_round, at(4)).await.unwrap().fresh);
    assert_eq!(stories.load(&id).await.unwrap().version, 2);
}

#[tokio::test]
async fn an_edit_of_an_old_version_is_refused_with_both_versions() {
    let database = database().await;
    let id = project(&database, "local").await.id;
    let stories = Stories::new(&database, "local");
    stories.save(save(&id, "a", &Story::default(), &cast(&["甲"])), at(2)).await.unwrap();
    let edit = |step: &str, expected| StorySave {
        expected: Some(expected),
        ..save(&id, step, &cast(&["甲"]), &cast(&["乙"]))
    };
    let refused = stories.save(edit("b", 0), at(3)).await;
    assert!(matches!(&refused, Err(Error::Conflict { expected: 0, found: 1, .. })), "{refused:?}");
    assert_eq!(stories.load(&id).await.unwrap().story.characters[0].name, "甲");
    stories.save(edit("b", 1), at(3)).await.unwrap();
    assert_eq!(stories.load(&id).await.unwrap().story.characters[0].name, "乙");
}

#[tokio::test]
async fn pieces_say_who_made_them() {
    let database = database().await;
    let id = project(&database, "local").await.id;
    let stories = Stories::new(&database, "local");
    stories.save(save(&id, "first", &Story::default(), &cast(&["甲", "乙"])), at(2)).await.unwrap();
    let mut changed = cast(&["丙", "甲", "乙"]);
    changed.characters[1].age = Some(30);
    stories.save(save(&id, "second", &cast(&["甲", "乙"]), &changed), at(3)).await.unwrap();
    let made: Vec<_> = stories
        .pieces(&id)
        .await
        .unwrap()
        .into_iter()
        .map(|kept| (kept.piece.name(), kept.provenance.agent, kept.provenance.tokens, kept.version, kept.at))
        .collect();
    let by = |agent: &str| format!("{agent}_agent");
    assert_eq!(
        made,
        [
            ("丙".into(), by("second"), 7, 1, at(3)),
            ("甲".into(), by("second"), 7, 2, at(3)),
            // Moved by a piece before it, but not changed.
            ("乙".into(), by("first"), 7, 1, at(2)),
        ]
        .map(|(name, agent, tokens, version, at): (String, _, _, _, _)| (name, agent, tokens, version, at))
    );
}

#[tokio::test]
async fn who_moves_a_piece_has_not_made_it() {
    let database = database().await;
    let id = project(&database, "local").await.id;
    let stories = Stories::new(&database, "local");
    let story = |orders: [u32; 2], goal: &str| {
        let node = |(name, order): (&str, u32)| OutlineNode {
            id: format!("o-{name}"),
            name: name.into(),
            order,
            goal: goal.into(),
            ..OutlineNode::default()
        };
        Story {
            premise: "灯塔".into(),
            outline_nodes: ["甲", "乙"].into_iter().zip(orders).map(node).collect(),
            ..Story::default()
        }
    };
    let (first, moved, changed) = (story([1, 2], ""), story([1, 3], ""), story([1, 3], "守灯"));
    stories.save(save(&id, "first", &Story::default(), &first), at(2)).await.unwrap();
    stories.save(save(&id, "second", &first, &moved), at(3)).await.unwrap();
    let made = async |project: &str| {
        let kept = stories.pieces(project).await.unwrap();
        kept.into_iter().map(|kept| (kept.provenance.agent, kept.version)).collect::<Vec<_>>()
    };
    let expected = [("first_agent".to_owned(), 1), ("first_agent".to_owned(), 2)];
    assert_eq!(made(&id).await, expected);
    let branch = stories.branch(&id, "another end", None, at(4)).await.unwrap();
    assert_eq!(made(&branch.id).await, expected, "a branch keeps the authors");
    stories.save(save(&id, "third", &moved, &changed), at(5)).await.unwrap();
    assert_eq!(made(&id).await, [("third_agent".to_owned(), 2), ("third_agent".to_owned(), 3)]);
}

#[tokio::test]
async fn projects_are_found_by_the_beginning_of_their_id() {
    let database = database().await;
    let projects = Projects::new(&database, "local");
    let first = project(&database, "local").await;
    assert!(first.id.starts_with("p-the-lighthouse-"), "{}", first.id);
    for given in [first.id.as_str(), "p-the", "the-light", " P-THE-LIGHT "] {
        assert_eq!(projects.find(given).await.unwrap().id, first.id, "{given}");
    }
    for given in ["", "p-x", "%", "_-the", "p-the-lighthouse-no"] {
        let found = projects.find(given).await;
        assert!(matches!(&found, Err(Error::UnknownProject { .. })), "{given}: {found:?}");
    }
    let stories = Stories::new(&database, "local");
    let branch = stories.branch(&first.id, "another end", None, at(2)).await.unwrap();
    assert!(branch.id.starts_with("p-the-lighthouse-"), "{}", branch.id);
    assert_eq!(projects.find("the").await.unwrap().id, first.id, "who names a book and its branch means the book");
    assert_eq!(projects.find(&branch.id).await.unwrap().id, branch.id);
    let second = project(&database, "local").await;
    assert!(matches!(projects.find("the").await, Err(Error::Ambiguous { matches, .. }) if matches.len() == 2));
    assert_eq!(projects.find(&second.id).await.unwrap(), second);
}

#[tokio::test]
async fn nobody_sees_the_projects_of_others() {
    let database = database().await;
    let id = project(&database, "ann").await.id;
    let (projects, stories) = (Projects::new(&database, "bob"), Stories::new(&database, "bob"));
    assert!(projects.list().await.unwrap().is_empty());
    for error in [
        projects.get(&id).await.unwrap_err(),
        projects.find("the").await.unwrap_err(),
        stories.load(&id).await.unwrap_err(),
        stories.changes(&id).await.unwrap_err(),
        stories.pieces(&id).await.unwrap_err(),
        stories.save(save(&id, "a", &Story::default(), &full()), at(2)).await.unwrap_err(),
    ] {
        assert!(matches!(error, Error::UnknownProject { .. }), "{error:?}");
    }
    assert_eq!(Stories::new(&database, "ann").load(&id).await.unwrap().version, 0);
}

#[tokio::test]
async fn a_save_that_fails_leaves_nothing() {
    let database = database().await;
    let id = project(&database, "local").await.id;
    let stories = Stories::new(&database, "local");
    // The last statement of a save fails; what was written before it must be gone.
    let Some(file) = database.as_sqlite() else { return };
    file.write(|connection| {
        connection.execute_batch(
            "CREATE TRIGGER broken BEFORE UPDATE OF version ON project BEGIN SELECT raise(ABORT, 'broken'); END",
        )?;
        Ok::<_, Error>(())
    })
    .await
    .unwrap();
    assert!(stories.save(save(&id, "a", &Story::default(), &full()), at(2)).await.is_err());
    let kept = stories.load(&id).await.unwrap();
    assert_eq!((kept.version, kept.story.characters.len()), (0, 0));
    assert!(stories.changes(&id).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_turn_of_a_schedule_is_taken_once() {
    let database = database().await;
    let id = project(&database, "local").await.id;
    let projects = Projects::new(&database, "local");
    let of_project = async || {
        let scheduled = Projects::scheduled(&database).await.unwrap();
        scheduled.into_iter().find(|scheduled| scheduled.project == id).map(|scheduled| scheduled.schedule)
    };
    assert_eq!((projects.schedule(&id).await.unwrap(), of_project().await), (None, None));
    let order = serde_json::json!({"do": "make_stale"});
    let due = ProductionSchedule { every: "1d".into(), key: None, order, next: at(60), last: None };
    assert!(projects.set_schedule(&id, None, Some(&due), None).await.unwrap());
    assert_eq!(of_project().await.as_ref(), Some(&due));

    let turn = ScheduledTurn { at: at(61), run: None, failure: Some(serde_json::json!({"code": "thread_busy"})) };
    let taken = ProductionSchedule { next: at(120), last: Some(turn), ..due.clone() };
    let (one, other) = tokio::join!(
        projects.set_schedule(&id, Some(&due), Some(&taken), None),
        projects.set_schedule(&id, Some(&due), Some(&taken), None),
    );
    assert!(one.unwrap() != other.unwrap(), "one of two servers");
    assert_eq!(projects.schedule(&id).await.unwrap(), Some(taken.clone()));
    let missing = Projects::new(&database, "anna").schedule(&id).await;
    assert!(matches!(missing, Err(Error::UnknownProject { .. })), "{missing:?}");

    for status in [ProjectStatus::Binned, ProjectStatus::Archived] {
        projects.set_status(&id, status).await.unwrap();
        assert_eq!(of_project().await, None, "nothing is started in the bin or the archive");
    }
    projects.set_status(&id, ProjectStatus::Active).await.unwrap();
    assert!(projects.set_schedule(&id, Some(&taken), None, None).await.unwrap());
    assert_eq!(projects.schedule(&id).await.unwrap(), None);
}

#[tokio::test]
async fn the_books_before_a_project_outlive_their_projects_and_go_with_a_branch() {
    let database = database().await;
    let (projects, stories) = (Projects::new(&database, "local"), Stories::new(&database, "local"));
    let (first, second) = (project(&database, "local").await.id, project(&database, "local").await.id);
    assert_eq!(projects.earlier(&second).await.unwrap(), []);
    let book = EarlierProject {
        project: first.clone(),
        title: "The Lighthouse".into(),
        kind: EarlierKind::Canon,
        gap: "十年".into(),
    };
    let changed = projects.set_earlier(&second, &[], std::slice::from_ref(&book)).await;
    assert!(matches!(changed, Err(Error::SeriesChanged { project }) if project == second));
    projects.set_earlier(&second, std::slice::from_ref(&book), &[]).await.unwrap();
    let after = EarlierProject { project: second.clone(), ..book.clone() };
    for (earlier, title) in [(&after, "it comes after"), (&book, "it is the book itself")] {
        let circle = projects.set_earlier(&first, std::slice::from_ref(earlier), &[]).await;
        assert!(matches!(circle, Err(Error::SeriesCircle { project }) if project == earlier.project), "{title}");
    }
    assert_eq!(projects.earlier(&second).await.unwrap(), std::slice::from_ref(&book));
    let branch = stories.branch(&second, "甲", None, at(3)).await.unwrap().id;
    assert_eq!(projects.earlier(&branch).await.unwrap(), std::slice::from_ref(&book));
    projects.set_status(&first, ProjectStatus::Binned).await.unwrap();
    projects.delete(&first).await.unwrap();
    assert_eq!(projects.earlier(&second).await.unwrap(), std::slice::from_ref(&book));
    projects.set_earlier(&second, &[], &[book]).await.unwrap();
    assert_eq!(projects.earlier(&second).await.unwrap(), []);
    for error in
        [projects.earlier(&first).await.unwrap_err(), projects.set_earlier(&first, &[], &[]).await.unwrap_err()]
    {
        assert!(matches!(error, Error::UnknownProject { .. }), "{error:?}");
    }
}
