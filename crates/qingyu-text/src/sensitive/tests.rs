use std::sync::LazyLock;

use proptest::prelude::*;

use super::lists::{AllowedWords, ListedWord, WordList};
use super::*;
use crate::Level;

static PLAIN: LazyLock<Scanner> = LazyLock::new(|| Scanner::new(&WordLists::builtin(), None).unwrap());
static VARIED: LazyLock<Scanner> = LazyLock::new(Scanner::builtin);

fn lists(words: &[&str], allowed: &[&str]) -> WordLists {
    let allowed = AllowedWords { words: allowed.iter().map(|word| (*word).to_owned()).collect() };
    let words = words.iter().map(|word| ListedWord::Plain((*word).to_owned())).collect();
    let category = "test".to_owned();
    let list = WordList { category, level: Level::Standard, language: None, suggestion: None, words };
    WordLists { lists: vec![list], allowed }
}

fn scanned(scanner: &Scanner, text: &str) -> String {
    let hits = scanner.scan(text, Level::Strict);
    let shown = hits.iter().map(|hit| match hit.disguise {
        Some(disguise) => format!("{}={}/{disguise:?}", hit.text, hit.word),
        None => format!("{}={}", hit.text, hit.word),
    });
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn words_are_found_in_all_disguises() {
    let words = ["赌博", "加微信", "casino", "crystal meth", "K粉", "电话诈骗"];
    let scanner = Scanner::new(&lists(&words, &["赌博剧"]), Some(&Variants::builtin())).unwrap();
    let cases = [
        ("他爱赌博。", "赌博=赌博"),
        ("他爱賭博。", "賭博=赌博/Traditional"),
        ("他爱赌 博。", "赌 博=赌博/Spaced"),
        ("他爱赌*·*博。", "赌*·*博=赌博/Spaced"),
        ("他爱赌\u{200b}博。", "赌\u{200b}博=赌博/Spaced"),
        ("他爱赌*****博。", ""),
        ("他去赌，博物馆关了。", ""),
        ("他去赌\n博物馆关了。", ""),
        ("加，微，信", "加，微，信=加微信/Spaced"),
        ("加，微信", ""),
        ("加薇信", "加薇信=加微信/LooksAlike"),
        ("家微信", "家微信=加微信/SoundsAlike"),
        ("家围新", ""),
        ("他爱睹博。", "睹博=赌博/LooksAlike"),
        ("他爱堵博。", ""),
        ("Casino, CASINOS!", "Casino=casino CASINOS=casino"),
        ("ｃａｓｉｎｏ", "ｃａｓｉｎｏ=casino/Width"),
        ("c@s1n0", "c@s1n0=casino/Leet"),
        ("c.a.s.i.n.o", "c.a.s.i.n.o=casino/Spaced"),
        ("cas ino", ""),
        ("occasino casinoes", ""),
        (
            "Crystal  meth, crystal\nmeth, crystalmeth",
            "Crystal  meth=crystal meth crystal\nmeth=crystal meth crystalmeth=crystal meth",
        ),
        ("50K粉丝", ""),
        ("K粉", "K粉=K粉"),
        ("𝐜𝐚𝐬𝐢𝐧𝐨", "𝐜𝐚𝐬𝐢𝐧𝐨=casino/Width"),
        ("他看赌博剧，不赌博。", "赌博=赌博"),
        ("電話詐騙", "電話詐騙=电话诈骗/Traditional"),
    ];
    for (text, expected) in cases {
        assert_eq!(scanned(&scanner, text), expected, "{text}");
    }
}

#[test]
fn parts_of_ordinary_words_are_no_finds() {
    let harmless = [
        "这是妈妈的主意。姨妈的生日快到了，他还是那么婆婆妈妈的。她收着媽媽的信。",
        "他令人祭扫了祖坟，又请人祭拜了一回。",
        "白粉扑在她脸上，衬得脸更白了。墙上的白粉落了一层。",
        "他在路口交给她一封信。女性交往的圈子不大。他把这叫做爱国。这是感情色彩很浓的话。",
        "他脸色情绪都不对。消毒品用完了。他呼吸毒雾。宣传销路。",
        "The wind did not retard the boat. He sent word by Telegram. Rufus Smith had gone.",
        "The frost retarded the growth of the corn; it would cripple the fleet.",
    ];
    for text in harmless {
        assert_eq!(scanned(&VARIED, text), "", "{text}");
    }
    let meant = [
        ("“妈的，又下雨。”", "妈的=妈的"),
        ("妈的你还敢来！", "妈的=妈的"),
        ("他卖白粉。", "白粉=白粉"),
        ("以人祭天。", "人祭=人祭"),
        ("他们性交了。", "性交=性交"),
        ("“You retard!”", "retard=retard"),
        ("He called him a cripple.", "cripple=cripple"),
    ];
    for (text, expected) in meant {
        assert_eq!(scanned(&VARIED, text), expected, "{text}");
    }
}

#[test]
fn without_variants_only_case_is_free() {
    let scanner = Scanner::new(&lists(&["赌博", "crystal meth", "one-night stand"], &[]), None).unwrap();
    let cases = [
        ("赌博 賭博 赌 博 睹博", "赌博=赌博"),
        ("CRYSTAL METH crystalmeth", "CRYSTAL METH=crystal meth"),
        ("a One-Night stand", "One-Night stand=one-night stand"),
    ];
    for (text, expected) in cases {
        assert_eq!(scanned(&scanner, text), expected, "{text}");
    }
}

#[test]
fn the_longest_word_is_told_once() {
    let scanner = Scanner::new(&lists(&["赌博", "赌博网站", "网站地图"], &[]), Some(&Variants::builtin())).unwrap();
    assert_eq!(scanned(&scanner, "赌博网站地图"), "赌博网站=赌博网站 网站地图=网站地图");
}

#[test]
fn a_level_reports_what_is_loose_enough() {
    let text = "他在赌场说自己不想活了。";
    let words = |level| VARIED.scan(text, level).into_iter().map(|hit| hit.word).collect::<Vec<_>>();
    assert_eq!(words(Level::Loose), [""; 0]);
    assert_eq!(words(Level::Standard), ["赌场"]);
    assert_eq!(words(Level::Strict), ["赌场", "不想活了"]);
}

#[test]
fn harmless_prose_is_clean() {
    let harmless = [
        "她推开博物馆的门，赌气不说话。独立的病毒学家在消毒。",
        "这真是大麻烦，妈的手很凉，白粉墙上落着雨。",
        "他参加群众集会，孩子残忍地踩碎了蚂蚁。正好，平分秋色。",
        "The therapist ordered a cocktail. As is known, Dickens wrote it.",
        "In 1984 he paid $500 for 3 assistants! Class is over.",
    ];
    for text in harmless {
        assert_eq!(VARIED.scan(text, Level::Standard), [], "{text}");
    }
}

#[test]
fn a_user_extends_and_replaces_words() {
    let own = "[[lists]]\ncategory = 'mine'\nlevel = 'loose'\nwords = ['灯塔', { word = '赌博', suggestion = '下棋' }]\n[allowed]\nwords = ['灯塔街']";
    let scanner = Scanner::new(&WordLists::builtin().extended(WordLists::parse(own).unwrap()), None).unwrap();
    let hits = scanner.scan("灯塔街的灯塔下有人赌博，还有毒品。", Level::Standard);
    let told: Vec<_> =
        hits.iter().map(|hit| (hit.word.as_str(), hit.category.as_str(), hit.suggestion.as_deref())).collect();
    assert_eq!(told[..2], [("灯塔", "mine", None), ("赌博", "mine", Some("下棋"))]);
    assert_eq!(told.len(), 3);
    let error = Scanner::new(&lists(&["……", "a"], &[]), None).unwrap_err();
    assert_eq!(error, Error::NoLetter { word: "……".into() });
    assert!(matches!(WordLists::parse("[[lists]]\nwords = 1"), Err(Error::BadData { what: "sensitive", .. })));
}

use crate::Error;

#[test]
fn the_built_in_lists_find_all_their_words() {
    for list in WordLists::builtin().lists {
        for word in &list.words {
            // A word that only counts beside others is given the first of them.
            let (left, right) = match word {
                ListedWord::With { after, before, .. } => (after.first(), before.first()),
                ListedWord::Plain(_) => (None, None),
            };
            let beside = |word: Option<&String>| word.filter(|word| !matches!(word.as_str(), "^" | "$")).cloned();
            let (left, right) = (beside(left).unwrap_or_default(), beside(right).unwrap_or_default());
            let text = format!("，{left}{}{right}。", word.text());
            for scanner in [&PLAIN, &VARIED] {
                let hits = scanner.scan(&text, Level::Strict);
                assert!(hits.iter().any(|hit| hit.span.len() >= word.text().len()), "{text} {hits:?}");
            }
        }
    }
}

/// Prose made of words of the lists, pieces of them, fillers and harmless words.
fn prose() -> impl Strategy<Value = String> {
    let words: Vec<String> = WordLists::builtin()
        .lists
        .iter()
        .flat_map(|list| list.words.iter().map(|word| word.text().to_owned()))
        .collect();
    let piece = prop_oneof![
        3 => proptest::sample::select(words),
        3 => "[a-z赌博毒品加微信自残0-9@$!]{1,3}",
        2 => proptest::sample::select(vec![" ".to_owned(), "，".into(), "*".into(), "\n".into(), "。".into(), "\u{200b}".into()]),
        1 => "\\PC{0,3}",
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn a_scan_with_variants_finds_what_a_plain_scan_finds(text in prose()) {
        let varied = VARIED.scan(&text, Level::Strict);
        for hit in PLAIN.scan(&text, Level::Strict) {
            let covers = |other: &Hit| other.span.start <= hit.span.start && hit.span.end <= other.span.end;
            prop_assert!(varied.iter().any(covers), "{hit:?} in {text:?}");
        }
    }

    #[test]
    fn spans_are_the_words_of_the_text(text in prose()) {
        let hits = VARIED.scan(&text, Level::Strict);
        for hit in &hits {
            prop_assert_eq!(text.get(hit.span.clone()), Some(hit.text.as_str()));
        }
        for pair in hits.windows(2) {
            prop_assert!(pair[0].span.start <= pair[1].span.start && pair[0].span.end < pair[1].span.end);
        }
    }

    #[test]
    fn a_text_is_found_in_itself_disguised(word in proptest::sample::select(vec!["冰毒配方", "加微信", "网络赌博平台"]), filler in "[ *·_]{1,3}") {
        let disguised: Vec<String> = word.chars().map(String::from).collect();
        let text = format!("他说{}。", disguised.join(&filler));
        let hits = VARIED.scan(&text, Level::Strict);
        prop_assert_eq!(hits.len(), 1);
        prop_assert_eq!(&hits[0].word, word);
        prop_assert_eq!(hits[0].disguise, Some(Disguise::Spaced));
    }
}
