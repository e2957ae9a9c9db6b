//! The sample books: played from their cassettes, exported, edited by hand so that a chapter contradicts an earlier one,
//! and corrected. When a prompt has changed, `make samples` records them anew.

use std::path::PathBuf;

use serde_json::Value;

use crate::home::Home;

/// A book, and what becomes of it.
struct Sample {
    folder: &'static str,
    chapters: usize,
    edited: &'static str,
    /// The sentence that the edit adds, and the one that it contradicts.
    contradiction: [&'static str; 2],
}

const SAMPLES: [Sample; 2] = [
    Sample {
        folder: "zh", chapters: 12, edited: "7", contradiction: ["覃稻生三十二岁了", "覃稻生今年二十七岁"]
    },
    Sample { folder: "en", chapters: 6, edited: "4", contradiction: ["Edith was thirty-one", "Edith was twenty-six"] },
];

impl Sample {
    fn file(&self, name: &str) -> String {
        let samples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        samples.join(self.folder).join(name).to_str().unwrap().to_owned()
    }
}

fn story(home: &Home, project: &str) -> Value {
    home.run(&["export-story", project]).expect(0).json()
}

/// How many facts say that.
fn told(story: &Value, sentence: &str) -> usize {
    let says = |fact: &&Value| fact["source"]["quote"].as_str().is_some_and(|quote| quote.contains(sentence));
    story["facts"].as_array().unwrap().iter().filter(says).count()
}

#[test]
fn the_sample_books_are_played_edited_and_corrected() {
    for sample in SAMPLES {
        let home = Home::new();
        let replayed = home.run(&["replay", &sample.file("book.jsonl"), "--keep", "--json"]).expect(0).json();
        assert_eq!(replayed["identical"], true, "record it anew with `make samples`: {replayed}");
        let project = replayed["project"].as_str().unwrap();
        let book = story(&home, project);
        assert_eq!(book["documents"].as_array().unwrap().len(), sample.chapters);
        let findings = |home: &Home| {
            let checked = home.run(&["check", project, "--json"]).json();
            checked["findings"].as_array().cloned().unwrap_or_default()
        };
        assert_eq!(findings(&home), Vec::<Value>::new());

        for format in ["md", "txt", "epub", "docx"] {
            let file = home.path().join(format!("book.{format}"));
            home.run(&["export", project, "--format", format, "--output", file.to_str().unwrap()]).expect(0);
            assert!(file.metadata().unwrap().len() > 10_000, "{format}");
        }

        let edited = sample.file(&format!("edit/0{}.md", sample.edited));
        home.run(&["edit", project, sample.edited, "--file", &edited]).expect(0);
        let found = findings(&home);
        let evidence = found.iter().map(Value::to_string).collect::<String>();
        assert!(found.len() == 1 && sample.contradiction.iter().all(|said| evidence.contains(said)), "{evidence}");
        assert_eq!(told(&story(&home, project), sample.contradiction[0]), 1);

        let model = format!("cassette:{}", sample.file("correction.jsonl"));
        home.run(&["correct", project, "--chapters", sample.edited, "--model", &model, "--yes"]).expect(0);
        assert_eq!(findings(&home), Vec::<Value>::new());
        let corrected = story(&home, project);
        assert_eq!(told(&corrected, sample.contradiction[0]), 0, "the story follows the prose");
        assert!(corrected["facts"].as_array().unwrap().len() >= book["facts"].as_array().unwrap().len());
    }
}
