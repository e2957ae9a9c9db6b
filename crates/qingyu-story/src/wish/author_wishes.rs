//! What an author wishes of a new book, by the chapters in which it is to be met.

use super::demand::{ReadWish, WishDemand};
use super::listed;
use super::named_chapters::named_chapters;
use super::request::{CLAUSES, sentences};
use super::whole_book::{is_of_notation, is_of_whole_book, told_clauses};
use crate::language::has_any;

/// Words of a sentence that asks for something in a book, rather than telling what happens in it.
#[rustfmt::skip]
const ASKING: &[&str] = &[
    "the book must", "the novel must", "the story must", "the ending must", "the end must", "the reader must", "readers must", "the book should",
    "the novel should", "the story should", "the ending should", "each chapter must", "every chapter must", "each chapter should", "every chapter should",
    "必须写到", "必须写清", "必须写明", "务必写", "一定要写到", "要写清", "要写明", "要交代清楚", "结尾必须", "结尾要", "结局必须", "结局要", "全书必须", "全书要", "故事必须",
    "小说必须", "读者必须", "每章必须", "每章要", "每章都要", "每一章都要",
];
/// Words with which a sentence that names a chapter asks for something in it.
#[rustfmt::skip]
const ASKING_OF_CHAPTER: &[&str] = &[
    "must", "should", "has to", "have to", "shall",
    "必须", "应该", "应当", "不能", "不得", "章要", "里要", "中要", "都要", "一定要", "要写", "要有", "要让", "要出现",
];

/// A wish of the author of a new book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorWish {
    /// The author's words.
    pub text: String,
    /// The chapters in which it is to be met.
    pub scope: WishScope,
}

/// The chapters in which a wish is to be met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WishScope {
    /// All of them: how the book is told, how it writes dates and units, what must not be in it.
    EveryChapter,
    /// One or another.
    Book,
    /// Those with these numbers.
    Chapters(Vec<u32>),
}

/// The wishes in a request for a new book, and the rest of its text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuthorWishes {
    /// The wishes, listed ones first.
    pub all: Vec<AuthorWish>,
    /// The text without the listed wishes; the other wishes are sentences of it, or clauses of long ones.
    pub rest: String,
}

impl AuthorWishes {
    /// Reads the wishes of a request for a new book: the items of its lists of wishes, and the sentences about the whole book
    /// or about the book itself.
    pub fn of(request: &str) -> Self {
        let (listed, rest) = listed::split(request);
        let listed = listed.into_iter().map(|text| {
            let is_of_all = is_of_whole_book(&text) || is_of_notation(&text);
            AuthorWish::of(text, is_of_all)
        });
        let mut all: Vec<AuthorWish> = listed.collect();
        for sentence in sentences(&rest).into_iter().take(CLAUSES) {
            if is_of_whole_book(sentence) {
                all.extend(told_clauses(sentence).into_iter().map(|text| AuthorWish::of(text, true)));
            } else if asks(sentence) {
                all.push(AuthorWish::of(sentence.trim().to_owned(), is_of_notation(sentence)));
            }
        }
        Self { all, rest }
    }

    /// Returns the wishes that hold for every chapter.
    pub fn of_every_chapter(&self) -> Vec<String> {
        self.texts(|scope| *scope == WishScope::EveryChapter)
    }

    /// Returns the wishes that are to be met in one chapter or another.
    pub fn of_book(&self) -> Vec<String> {
        self.texts(|scope| *scope == WishScope::Book)
    }

    /// Returns the wishes that name the chapter with a number.
    pub fn of_chapter(&self, number: u32) -> Vec<String> {
        self.texts(|scope| matches!(scope, WishScope::Chapters(numbers) if numbers.contains(&number)))
    }

    fn texts(&self, is_wanted: impl Fn(&WishScope) -> bool) -> Vec<String> {
        self.all.iter().filter(|wish| is_wanted(&wish.scope)).map(|wish| wish.text.clone()).collect()
    }
}

impl AuthorWish {
    fn of(text: String, is_of_all: bool) -> Self {
        let scope = match named_chapters(&text) {
            chapters if !chapters.is_empty() => WishScope::Chapters(chapters),
            _ if is_of_all => WishScope::EveryChapter,
            _ => WishScope::Book,
        };
        Self { text, scope }
    }
}

/// Returns whether a sentence asks for something in the book.
fn asks(sentence: &str) -> bool {
    has_any(sentence, ASKING) || has_any(sentence, ASKING_OF_CHAPTER) && !named_chapters(sentence).is_empty()
}

/// Appends the wishes of a request for a new book that no rule can check to those that were parsed, so that a report lists
/// them.
pub fn with_unchecked(requests: &mut Vec<ReadWish>, request: &str) {
    let is_checked = |one: &&ReadWish| matches!(one.want, WishDemand::Length { .. } | WishDemand::Mention { .. });
    let checked: Vec<String> = requests.iter().filter(is_checked).map(|one| one.text.clone()).collect();
    for wish in AuthorWishes::of(request).all {
        let text = without_checked(&wish.text, &checked);
        if !text.is_empty() && !requests.iter().any(|known| known.text == text) {
            requests.push(ReadWish { text, want: WishDemand::Judged });
        }
    }
    requests.truncate(CLAUSES);
}

/// Returns a wish without the clauses that rules check; empty if nothing is left.
fn without_checked(wish: &str, checked: &[String]) -> String {
    let is_known = |clause: &str| checked.iter().any(|known| known.contains(clause.trim()));
    let clauses: Vec<&str> = wish.split(['，', '；', ',', ';']).filter(|clause| !clause.trim().is_empty()).collect();
    let open: Vec<&str> = clauses.iter().copied().filter(|clause| !is_known(clause)).map(str::trim).collect();
    if open.len() == clauses.len() {
        return wish.to_owned();
    }
    open.join(if wish.contains(['，', '；']) { "，" } else { ", " })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wish::{WishState, read};
    use crate::{Language, Story};

    const EN: &str = "A family mystery in two chapters of about 1,500 words each, told in the third person and the past tense \
                      from the close viewpoint of the medic Ines, 34, on a mining station in March 2231, where a rigger is \
                      brought to her with a crushed hand. I want: (1) the forged paper must be exposed; (2) the pendant must \
                      pass from Tobias to Ines in chapter 1 and be used in chapter 2; (3) the code is known to three people; \
                      one of them opens the door; (4) nobody says \"destiny\"; no ghosts. Mark time by station days and clock \
                      times such as 0540; three shifts of eight hours.";
    const ZH: &str = "写一个川江轮船上的罪案故事，共三章，每章一千五百字上下。账房沈砚秋是主角，用第一人称“我”来讲。要求：一、日子同时用星期和农历记；\
                      二、刀伤要从流血写到结痂；三、第二章里钥匙要转到她手上；四、结尾必须说破谁是凶手。";

    #[test]
    fn numbered_wishes_go_to_the_chapters_that_they_are_about() {
        let wishes = AuthorWishes::of(EN);
        let told = "told in the third person and the past tense from the close viewpoint of the medic Ines";
        assert_eq!(
            wishes.of_every_chapter(),
            ["nobody says \"destiny\"; no ghosts", told, "Mark time by station days and clock times such as 0540"]
        );
        assert_eq!(
            wishes.of_book(),
            ["the forged paper must be exposed", "the code is known to three people; one of them opens the door"]
        );
        let pendant = ["the pendant must pass from Tobias to Ines in chapter 1 and be used in chapter 2"];
        assert_eq!(wishes.of_chapter(1), pendant);
        assert_eq!(wishes.of_chapter(2), pendant);
        assert_eq!(wishes.of_chapter(3), [""; 0]);
        assert!(wishes.rest.starts_with("A family mystery") && !wishes.rest.contains("I want"), "{}", wishes.rest);
        let wishes = AuthorWishes::of(ZH);
        assert_eq!(wishes.of_every_chapter(), ["日子同时用星期和农历记", "账房沈砚秋是主角，用第一人称“我”来讲"]);
        assert_eq!(wishes.of_book(), ["刀伤要从流血写到结痂", "结尾必须说破谁是凶手"]);
        assert_eq!(wishes.of_chapter(2), ["第二章里钥匙要转到她手上"]);
    }

    #[test]
    fn what_happens_in_a_book_is_no_wish() {
        for request in [
            "他必须在天亮前赶到重庆，必须写一封信，要交代后事。第三章里最重要的人来了。",
            "She must find him before midnight. In chapter 3 it snows.",
            "写一个灯塔守望者的故事。",
        ] {
            assert_eq!(AuthorWishes::of(request), AuthorWishes { all: Vec::new(), rest: request.into() }, "{request}");
        }
        assert_eq!(AuthorWishes::of("A tale. Chapter 3 must end at sea.").of_chapter(3), ["Chapter 3 must end at sea"]);
        assert_eq!(AuthorWishes::of("写三章。每章都要有一句谚语。").of_every_chapter(), ["每章都要有一句谚语"]);
        assert_eq!(AuthorWishes::of("The ending must be told at sea.").of_book(), ["The ending must be told at sea"]);
    }

    #[test]
    fn wishes_that_no_rule_checks_are_listed_with_the_others() {
        for (said, met, open) in [(ZH, 2, 5), (EN, 1, 6)] {
            let mut requests = read(said, &Story::default());
            assert_eq!(requests.len(), met, "{requests:?}");
            with_unchecked(&mut requests, said);
            let states = requests[met..].iter().map(|one| one.check(&Story::default(), true, Language::En).state);
            let states: Vec<WishState> = states.collect();
            assert_eq!(states, vec![WishState::NotCheckable; open], "{requests:?}");
        }
        let said = "写三章，第一人称。";
        let mut requests = read(said, &Story::default());
        with_unchecked(&mut requests, said);
        let texts: Vec<&str> = requests.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(texts, ["写三章", "第一人称"]);
    }
}
