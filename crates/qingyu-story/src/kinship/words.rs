//! Words for relatives, and the words before them that say whose they are.

/// What one person is to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tie {
    Parent,
    Child,
    Sibling,
    Spouse,
    Teacher,
    Pupil,
}

/// A word for a relative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RelativeWord {
    pub(super) word: &'static str,
    pub(super) tie: Tie,
    /// The gender that the word tells.
    pub(super) is_male: Option<bool>,
    /// Whether the word alone means the relative of whom the text is about.
    pub(super) stands_alone: bool,
}

const fn of(word: &'static str, tie: Tie, is_male: Option<bool>) -> RelativeWord {
    RelativeWord { word, tie, is_male, stands_alone: false }
}

const fn alone(word: &'static str, tie: Tie, is_male: Option<bool>) -> RelativeWord {
    RelativeWord { word, tie, is_male, stands_alone: true }
}

const HE: Option<bool> = Some(true);
const SHE: Option<bool> = Some(false);

/// Words that name a father, and a mother.
pub(crate) const FATHER: &[&str] = &["父", "爹", "爸", "father", "dad"];
pub(crate) const MOTHER: &[&str] = &["母", "娘", "妈", "mother", "mum", "mama"];

/// Chinese letters before a word for a parent that make it another relative.
pub(super) const BEFORE_OTHERS: [char; 13] =
    ['祖', '岳', '养', '继', '义', '伯', '叔', '舅', '姑', '姨', '干', '曾', '外'];

/// Chinese words, longest first.
pub(super) static CHINESE: [RelativeWord; 42] = [
    of("亲生父亲", Tie::Parent, HE),
    of("亲生母亲", Tie::Parent, SHE),
    alone("父亲", Tie::Parent, HE),
    alone("母亲", Tie::Parent, SHE),
    alone("父母", Tie::Parent, None),
    alone("双亲", Tie::Parent, None),
    alone("爹娘", Tie::Parent, None),
    alone("亡父", Tie::Parent, HE),
    alone("亡母", Tie::Parent, SHE),
    alone("先父", Tie::Parent, HE),
    alone("先母", Tie::Parent, SHE),
    of("生父", Tie::Parent, HE),
    of("生母", Tie::Parent, SHE),
    of("爸爸", Tie::Parent, HE),
    of("妈妈", Tie::Parent, SHE),
    of("爹爹", Tie::Parent, HE),
    of("儿子", Tie::Child, HE),
    of("女儿", Tie::Child, SHE),
    of("长子", Tie::Child, HE),
    of("长女", Tie::Child, SHE),
    of("子女", Tie::Child, None),
    of("孩子", Tie::Child, None),
    of("哥哥", Tie::Sibling, HE),
    of("兄长", Tie::Sibling, HE),
    of("大哥", Tie::Sibling, HE),
    of("弟弟", Tie::Sibling, HE),
    of("姐姐", Tie::Sibling, SHE),
    of("妹妹", Tie::Sibling, SHE),
    of("丈夫", Tie::Spouse, HE),
    of("妻子", Tie::Spouse, SHE),
    alone("亡夫", Tie::Spouse, HE),
    alone("亡妻", Tie::Spouse, SHE),
    alone("师父", Tie::Teacher, None),
    of("师傅", Tie::Teacher, None),
    of("老师", Tie::Teacher, None),
    of("导师", Tie::Teacher, None),
    of("徒弟", Tie::Pupil, None),
    of("弟子", Tie::Pupil, None),
    of("学生", Tie::Pupil, None),
    of("爹", Tie::Parent, HE),
    of("爸", Tie::Parent, HE),
    of("娘", Tie::Parent, SHE),
];

/// English words.
pub(super) static ENGLISH: [RelativeWord; 24] = [
    of("father", Tie::Parent, HE),
    of("mother", Tie::Parent, SHE),
    of("parents", Tie::Parent, None),
    of("dad", Tie::Parent, HE),
    of("papa", Tie::Parent, HE),
    of("mum", Tie::Parent, SHE),
    of("mom", Tie::Parent, SHE),
    of("mama", Tie::Parent, SHE),
    of("son", Tie::Child, HE),
    of("daughter", Tie::Child, SHE),
    of("child", Tie::Child, None),
    of("children", Tie::Child, None),
    of("boy", Tie::Child, HE),
    of("girl", Tie::Child, SHE),
    of("brother", Tie::Sibling, HE),
    of("sister", Tie::Sibling, SHE),
    of("husband", Tie::Spouse, HE),
    of("wife", Tie::Spouse, SHE),
    of("widow", Tie::Spouse, SHE),
    of("widower", Tie::Spouse, HE),
    of("teacher", Tie::Teacher, None),
    of("mentor", Tie::Teacher, None),
    of("pupil", Tie::Pupil, None),
    of("apprentice", Tie::Pupil, None),
];

/// English words between the owner and the relative.
pub(super) const BEFORE_HER: [&str; 8] = ["late", "dead", "drowned", "old", "own", "elder", "younger", "only"];

/// English words that say whose the relative is, with the gender that they tell.
pub(super) const OWNERS: [(&str, Option<bool>); 7] =
    [("her", SHE), ("his", HE), ("my", None), ("your", None), ("their", None), ("our", None), ("whose", None)];
