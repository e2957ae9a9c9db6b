use qingyu_story::Language;
use qingyu_story::production::Golden;
use serde_json::json;

use super::*;

fn with(text: &str) -> Result<Templates, Error> {
    Templates::builtin().with_texts(&[("mine".to_owned(), text.to_owned())])
}

const HEAD: &str = "title = { zh = \"甲\", en = \"a\" }\ndescription = { zh = \"乙\", en = \"b\" }\n";

#[test]
fn the_builtin_templates_are_whole() {
    let templates = Templates::builtin();
    let names: Vec<_> = templates.all().map(|template| template.name.as_str()).collect();
    assert_eq!(names, ["default", "course", "articles", "product_page", "short_video", "novel"]);
    for template in templates.all() {
        let phases = if template.name == "novel" { 3 } else { 8 };
        assert_eq!(template.phases.len(), phases, "{}", template.name);
        assert!((4..=6).contains(&template.criteria.len()), "{}", template.name);
        let (zh, en) = (template.begin(Language::Zh), template.begin(Language::En));
        assert_eq!(zh.0.current_phase, "intent");
        for golden in [Golden::CreatorProfile, Golden::Intent, Golden::ConsumerPersonas] {
            assert!(zh.1.iter().any(|field| field.golden == Some(golden)));
        }
        for (zh, en) in zh.1.iter().zip(&en.1) {
            assert_eq!((&zh.path, &zh.schema, &zh.depends_on), (&en.path, &en.schema, &en.depends_on));
            assert!(Language::of(&zh.guidance) == Language::Zh && Language::of(&en.guidance) == Language::En);
        }
        let has_content = zh.1.iter().any(|field| field.is_content);
        assert_eq!(has_content, !["default", "novel"].contains(&template.name.as_str()), "{}", template.name);
    }
}

#[test]
fn schemas_say_what_strict_modes_want() {
    let course = Templates::builtin().get("course").unwrap().clone();
    let outline = course.fields.iter().find(|field| field.path == "design_inner/outline").unwrap();
    let lessons = &outline.schema["properties"]["lessons"];
    assert_eq!(lessons["items"]["required"], json!(["title", "goal", "points", "exercise"]));
    assert_eq!(lessons["items"]["additionalProperties"], json!(false));
    assert_eq!((&lessons["minItems"], &lessons["maxItems"]), (&json!(4), &json!(8)));
}

#[test]
fn a_template_of_ones_own_changes_what_it_names() {
    let text = format!(
        "extends = \"course\"\n{HEAD}\n[[fields]]\npath = \"design_inner/promise\"\nguidance = {{ zh = \"短\", en = \"short\" }}\n"
    );
    let templates = with(&text).unwrap();
    let (mine, course) = (templates.get("mine").unwrap(), templates.get("course").unwrap());
    assert_eq!(mine.fields.len(), course.fields.len());
    let changed: Vec<_> =
        mine.fields.iter().zip(&course.fields).filter(|(a, b)| a != b).map(|(a, _)| &a.path).collect();
    assert_eq!(changed, ["design_inner/promise"]);
    assert_eq!(mine.begin(Language::En).0.template, "mine");
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let field = |lines: &str| {
        format!(
            "extends = \"default\"\n{HEAD}[[fields]]\ntitle = {{ zh = \"甲\", en = \"a\" }}\nguidance = {{ zh = \"甲\", en = \"a\" }}\n{lines}"
        )
    };
    let channel = |template: &str| {
        format!(
            "extends = \"default\"\n{HEAD}[[channels]]\nname = \"c\"\nextension = \"md\"\ntitle = {{ zh = \"甲\", en = \"a\" }}\ntemplate = {{ zh = '{template}', en = 'x' }}\n"
        )
    };
    let cases = [
        ("colour = 1\n".to_owned() + HEAD, "colour"),
        (HEAD.to_owned(), "phases: there are none"),
        (format!("extends = \"nothing\"\n{HEAD}"), "there is no template 'nothing'"),
        (format!("extends = \"mine\"\n{HEAD}"), "extends itself"),
        (
            "extends = \"default\"\ntitle = { zh = \"甲\", en = \" \" }\ndescription = { zh = \"乙\", en = \"b\" }\n"
                .to_owned(),
            "title.en",
        ),
        (field("path = \"nowhere/x\"\nschema = \"text\""), "nowhere/x"),
        (field("path = \"intent/x\""), "its schema is missing"),
        (field("path = \"intent/x\"\nschema = \"prose\""), "'prose' is no shape"),
        (field("path = \"intent/x\"\nschema = { type = \"string\", pattern = \"a\" }"), "'pattern' is not understood"),
        (field("path = \"intent/x\"\nschema = { type = \"array\" }"), "'items' is missing"),
        (field("path = \"intent/x\"\nschema = { type = \"colour\" }"), "intent/x"),
        (field("path = \"intent/x\"\nschema = \"text\"\ndepends_on = [\"intent/y\"]"), "intent/y"),
        (field("path = \"intent/report\"\ndepends_on = [\"intent/personas\"]"), "made from each other"),
        (channel("{{ titel }}"), "titel"),
        (channel("{{ title "), "channels, 'c', template.zh"),
        (channel("{{ text[\"intent/x\"] }}"), "there is no field 'intent/x'"),
        (
            format!(
                "extends = \"default\"\n{HEAD}[[criteria]]\nname = \"c\"\nweight = 0.0\ntitle = {{ zh = \"甲\", en = \"a\" }}\nquestion = {{ zh = \"甲\", en = \"a\" }}\n"
            ),
            "above 0",
        ),
    ];
    for (text, expected) in cases {
        match with(&text) {
            Err(Error::BadTemplate { name, message }) => {
                assert!(name == "mine" && message.contains(expected), "{expected}: {message}");
            }
            other => panic!("{expected}: {:?}", other.map(|templates| templates.all().count())),
        }
    }
}

#[test]
fn files_that_extend_each_other_are_refused() {
    let files = [("a", "b"), ("b", "a")].map(|(name, base)| (name.to_owned(), format!("extends = \"{base}\"\n{HEAD}")));
    let Err(Error::BadTemplate { message, .. }) = Templates::builtin().with_texts(&files) else { panic!() };
    assert!(message.contains("goes round"), "{message}");
}
