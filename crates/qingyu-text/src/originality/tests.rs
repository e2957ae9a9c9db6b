use proptest::prelude::*;
use qingyu_story::Severity;

use super::*;

/// Numbers that look thrown, the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

/// Prose that never says the same twice for long, of about `length` characters, with idioms and formulas that all share.
fn chapter(seed: u64, length: usize) -> String {
    const IDIOMS: [&str; 6] =
        ["说时迟那时快", "不由得倒吸一口凉气", "她摇了摇头", "过了好一会儿", "天已经完全黑了", "一句话也说不出来"];
    const WHAT: [&str; 24] = [
        "听见", "汽笛", "收起", "雨伞", "旧事", "裂纹", "等着", "账簿", "铁锈", "盐味", "水面", "油花", "钥匙", "点灯",
        "折信", "信封", "石阶", "海风", "船票", "口袋", "影子", "门环", "药香", "木梯",
    ];
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9) + 1);
    let mut text = String::from("本章完之前的话：欲知后事如何，且听下回分解。\n");
    while text.chars().count() < length {
        for _ in 0..2 + dice.roll(3) {
            text.push_str(WHAT[dice.roll(24)]);
            text.extend(char::from_u32(0x4e00 + dice.roll(4000) as u32));
        }
        if dice.roll(5) == 0 {
            text.push('，');
            text.push_str(IDIOMS[dice.roll(6)]);
        }
        text.push_str(if dice.roll(6) == 0 { "。\n" } else { "，" });
    }
    text
}

fn cut(text: &str, from: usize, count: usize) -> String {
    text.chars().skip(from).take(count).collect()
}

fn library(chapters: u64) -> ComparisonLibrary {
    let mut library = ComparisonLibrary::default();
    for number in 0..chapters {
        library.insert(&format!("d-{number}"), &chapter(number, 1500));
    }
    library
}

#[test]
fn verbatim_copies_are_found_in_full() {
    let library = library(60);
    let mut missed = 0;
    for length in [60, 100, 200, 400] {
        for number in 0..50 {
            let copied = cut(&chapter(number, 1500), 137 + number as usize * 11, length);
            let own = chapter(1000 + number, 1200);
            let text = format!("{}{copied}{}", cut(&own, 0, 500), cut(&own, 500, 5000));
            let found = library.check(&text);
            let Some(passage) = found.passages.first() else {
                missed += 1;
                continue;
            };
            assert_eq!(found.passages.len(), 1, "{:?}", found.passages);
            assert_eq!(passage.source, format!("d-{number}"));
            // The words around a copy may happen to be the same, too.
            let core = cut(&copied, 2, length - 4);
            assert!(passage.text.contains(core.trim_matches(['，', '。', '\n'])), "{}", passage.text);
            assert!(passage.text.chars().count() <= length + 20, "{}", passage.text);
        }
    }
    assert!(missed <= 2, "{missed} of 200 copies were missed");
}

#[test]
fn lightly_edited_copies_are_one_passage() {
    let library = library(40);
    let mut whole = 0;
    for number in 0..40 {
        let copied = cut(&chapter(number, 1500), 200, 300);
        // Every twentieth character is another; every fiftieth is gone.
        let edited: String = copied
            .chars()
            .enumerate()
            .filter(|(at, _)| at % 50 != 49)
            .map(|(at, c)| if at % 20 == 13 { '某' } else { c })
            .collect();
        let text = format!(
            "{}{edited}{}",
            cut(&chapter(2000 + number, 1500), 0, 500),
            cut(&chapter(3000 + number, 1500), 0, 500)
        );
        let found = library.check(&text);
        let same: usize = found.passages.iter().map(|passage| passage.same).sum();
        assert!(found.passages.iter().all(|passage| passage.source == format!("d-{number}")));
        whole += usize::from(same >= 150 && found.passages.len() <= 3 && !found.passages[0].verbatim);
    }
    assert!(whole >= 38, "{whole} of 40");
}

#[test]
fn shuffled_copies_are_found_part_by_part() {
    let library = library(40);
    let source = chapter(7, 1500);
    let mut lines: Vec<&str> = source.lines().skip(1).collect();
    lines.reverse();
    let found = library.check(&lines.join("\n"));
    assert!(found.share > 0.9, "{}", found.share);
    assert_eq!(found.severity, Some(Severity::Critical));
    assert_eq!(found.sources[0].source, "d-7");
    assert!(found.passages.len() > 5);
    // In order of the text, which is the reverse order of the source.
    for pair in found.passages.windows(2) {
        assert!(pair[0].span.end <= pair[1].span.start);
        assert!(pair[0].source_span.start > pair[1].source_span.start);
    }
}

#[test]
fn formulas_and_idioms_are_no_copies() {
    let library = library(60);
    for number in 0..40 {
        let found = library.check(&chapter(5000 + number, 1500));
        assert_eq!((found.passages.len(), found.share), (0, 0.0), "{:?}", found.passages);
    }
    let formula = "三十年河东三十年河西，莫欺少年穷。欲知后事如何，且听下回分解。";
    let mut library = ComparisonLibrary::default();
    library.insert("a", &format!("他说：{formula}"));
    assert_eq!(library.check(&format!("她想：{formula}")).passages, []);
}

#[test]
fn english_is_compared_by_words() {
    let source = "The harbour was quiet when Mara counted the lamps along the quay for the third time that night, \
                  and nobody answered when she called the name of the boat that had not come home.";
    let mut library = ComparisonLibrary::default();
    library.insert("book", source);
    let text = "He began: \"WHEN Mara counted the lamps along the quay for the third time that night, nobody came.\"";
    let found = library.check(text);
    assert_eq!(found.passages.len(), 1);
    assert_eq!(found.passages[0].text, "WHEN Mara counted the lamps along the quay for the third time that night");
    assert_eq!(
        found.passages[0].source_text,
        "when Mara counted the lamps along the quay for the third time that night"
    );
    assert!(found.passages[0].verbatim);
    assert_eq!(
        library.check("The harbour was quiet and the quay was long, but nobody counted for the third time.").passages,
        []
    );
}

#[test]
fn a_library_grows_and_shrinks() {
    let mut library = library(40);
    let text = cut(&chapter(3, 1500), 100, 300);
    assert_eq!(library.check(&text).sources.len(), 1);
    assert_eq!(library.check_except(&text, &["d-3"]).sources, []);
    library.insert("d-3", &chapter(900, 1500));
    assert_eq!((library.len(), library.check(&text).sources.len()), (40, 0));
    for number in 0..35 {
        assert!(library.remove(&format!("d-{number}")));
    }
    assert!(!library.remove("d-0"));
    assert_eq!(library.len(), 5);
    assert_eq!(library.check(&cut(&chapter(38, 1500), 100, 300)).sources[0].source, "d-38");
    assert_eq!(library.check(""), Originality::default());
}

#[test]
fn rules_of_the_user_count() {
    let rules = "[shares]\nlow = 0.5\nmedium = 0.6\nhigh = 0.7\ncritical = 0.8\n[least]\nzh = 60\nen = 60\n";
    let rules = OriginalityRules::builtin().extended(OriginalityRules::parse(rules).unwrap());
    assert!(rules.formulas.texts.len() > 10);
    let mut library = ComparisonLibrary::new(rules);
    library.insert("a", &chapter(1, 1500));
    assert_eq!(library.check(&cut(&chapter(1, 1500), 100, 50)).passages, []);
    assert_eq!(library.check(&cut(&chapter(1, 1500), 100, 90)).severity, Some(Severity::Critical));
}

proptest! {
    #[test]
    fn passages_are_the_words_of_both_texts(a in "[雨停了走 ，。a-b]{0,120}", b in "[雨停了走 ，。a-b]{0,120}") {
        let mut library = ComparisonLibrary::default();
        library.insert("b", &b);
        let found = library.check(&a);
        for passage in &found.passages {
            prop_assert_eq!(a.get(passage.span.clone()), Some(passage.text.as_str()));
            prop_assert_eq!(b.get(passage.source_span.clone()), Some(passage.source_text.as_str()));
            prop_assert!(passage.same >= 8);
        }
        prop_assert!(found.copied <= found.length && (0.0..=1.0).contains(&found.share));
    }

    #[test]
    fn a_text_is_a_copy_of_itself(seed in 0u64..500) {
        let text = chapter(seed, 300);
        let mut library = ComparisonLibrary::default();
        library.insert("it", &text);
        let found = library.check(&text);
        prop_assert_eq!(found.passages.len(), 1);
        prop_assert!(found.passages[0].verbatim && found.share == 1.0);
    }
}
