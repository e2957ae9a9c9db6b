//! The word lists to parse English questions and statements; all in lower case.

/// Irregular past forms, with their base forms.
pub(super) const IRREGULAR: &str = "ate eat|eaten eat|beat beat|beaten beat|became become|began begin|begun begin|bent bend|bit bite|bitten \
bite|bled bleed|blew blow|blown blow|bore bear|born born|bought buy|bound bind|bred breed|broke break|broken break|brought bring|built build|burnt \
burn|came come|caught catch|chose choose|chosen choose|crept creep|dealt deal|did do|done do|drank drink|drunk drink|drew \
draw|drawn draw|drove drive|driven drive|dug dig|fed feed|fell fall|fallen fall|felt feel|fled flee|flew fly|flown fly|forgave \
forgive|forgot forget|forgotten forget|fought fight|found find|froze freeze|frozen freeze|gave give|given give|went go|gone \
go|got get|grew grow|grown grow|heard hear|held hold|hid hide|hidden hide|hung hang|kept keep|knelt kneel|knew know|known \
know|laid lay|leapt leap|learnt learn|led lead|left leave|lent lend|lit light|lost lose|made make|meant mean|met meet|paid \
pay|rang ring|rung ring|ran run|rode ride|ridden ride|rose rise|risen rise|said say|sang sing|sung sing|sank sink|sunk sink|sat \
sit|saw see|seen see|sent send|shone shine|shook shake|shaken shake|shot shoot|showed show|shown show|slept sleep|slid \
slide|sold sell|sought seek|spent spend|spoke speak|spoken speak|stole steal|stolen steal|stood stand|struck strike|stuck \
stick|stung sting|swam swim|swore swear|sworn swear|swept sweep|taught teach|threw throw|thrown throw|told tell|took take|taken \
take|tore tear|torn tear|thought think|understood understand|woke wake|woken wake|won win|wore wear|worn wear|wove weave|wrote \
write|written write|hurt hurt|cut cut|put put|set set|shut shut|let let|read read|children child|men man|women woman|people \
person|knives knife|wives wife|lives live";

#[rustfmt::skip]
pub(super) const ARTICLES: [&str; 3] = [
    "a", "an", "the",
];

#[rustfmt::skip]
pub(super) const BE: [&str; 9] = [
    "is", "are", "was", "were", "be", "been", "being", "am", "'s",
];

#[rustfmt::skip]
pub(super) const DO: [&str; 3] = [
    "do", "does", "did",
];

#[rustfmt::skip]
pub(super) const HAVE: [&str; 3] = [
    "has", "have", "had",
];

/// Words without effect on the meaning of a statement.
#[rustfmt::skip]
pub(super) const LIGHT: [&str; 11] = [
    "then", "now", "still", "already", "also", "just", "once", "soon", "later", "always", "long",
];

/// Words which negate a clause.
#[rustfmt::skip]
pub(super) const DENIALS: [&str; 14] = [
    "not", "n't", "never", "no", "nobody", "none", "nothing", "neither", "nor", "nowhere", "without", "hardly",
    "scarcely", "cannot",
];

/// Words which make a sentence uncertain.
#[rustfmt::skip]
pub(super) const DOUBTS: [&str; 58] = [
    "if", "whether", "unless", "perhaps", "maybe", "might", "may", "would", "could", "should", "seem", "seemed",
    "seems", "though", "dream", "dreamt", "dreamed", "thought", "thinks", "believed", "believes", "supposed",
    "imagined", "hoped", "hopes", "wished", "wishes", "said", "says", "told", "asked", "asks", "claimed", "claims",
    "pretended", "rumour", "rumor", "rumoured", "heard", "almost", "nearly", "wanted", "wants", "tried", "meant",
    "planned", "going", "like", "wondered", "guessed", "suspected", "doubted", "swore", "promised", "will", "can",
    "must", "until",
];

#[rustfmt::skip]
pub(super) const PRONOUNS: [&str; 31] = [
    "i", "you", "he", "she", "it", "we", "they", "me", "him", "her", "us", "them", "who", "whom", "that", "which",
    "someone", "somebody", "everyone", "everybody", "anyone", "anybody", "one", "this", "these", "those", "there",
    "what", "something", "himself", "herself",
];

#[rustfmt::skip]
pub(super) const JOINTS: [&str; 10] = [
    "and", "or", "but", "so", "because", "as", "than", "while", "when", "where",
];

#[rustfmt::skip]
pub(super) const PREPOSITIONS: [&str; 35] = [
    "at", "in", "on", "near", "by", "beside", "under", "over", "behind", "from", "into", "onto", "towards", "toward",
    "beyond", "outside", "inside", "above", "below", "along", "across", "between", "among", "opposite", "within", "to",
    "of", "for", "with", "about", "after", "before", "through", "against", "during",
];

/// Number of leading `PREPOSITIONS` allowed before a place.
pub(super) const OF_PLACES: usize = 26;

#[rustfmt::skip]
pub(super) const DETERMINERS: [&str; 9] = [
    "a", "an", "the", "his", "her", "their", "its", "my", "our",
];

#[rustfmt::skip]
pub(super) const NUMBERS: [&str; 33] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty", "fifty",
    "sixty", "seventy", "eighty", "ninety", "hundred", "thousand", "million", "dozen", "half", "score",
];

#[rustfmt::skip]
pub(super) const TIMES: [&str; 45] = [
    "year", "years", "month", "months", "week", "weeks", "day", "days", "night", "nights", "morning", "evening",
    "afternoon", "noon", "midnight", "dawn", "dusk", "spring", "summer", "autumn", "fall", "winter", "hour", "hours",
    "minute", "minutes", "o'clock", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    "january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december",
];

#[rustfmt::skip]
pub(super) const COLOURS: [&str; 16] = [
    "red", "blue", "green", "yellow", "black", "white", "grey", "gray", "brown", "purple", "orange", "pink", "golden",
    "silver", "violet", "scarlet",
];

/// Nouns in the position of a place which are no places.
#[rustfmt::skip]
pub(super) const NO_PLACES: [&str; 32] = [
    "hurry", "rage", "whisper", "voice", "moment", "way", "time", "manner", "word", "words", "sense", "love", "silence",
    "vain", "fear", "anger", "tears", "secret", "hand", "hands", "mind", "heart", "end", "once", "last", "first",
    "supper", "breakfast", "dinner", "fact", "truth", "trouble",
];

/// Words allowed before a subject in its clause.
#[rustfmt::skip]
pub(super) const OPENERS: [&str; 18] = [
    "and", "but", "so", "then", "that", "this", "next", "in", "on", "at", "the", "one", "of", "afterwards", "long",
    "years", "ago", "after",
];
