//! Shortens an English sentence: leaves out what stands before a subject, or between a subject and its verb, and turns two
//! constructions round, so that a pattern need not list them.
//!
//! A part with a word that changes the mode of a statement, such as `perhaps` or `in her dream`, stays where it is.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::cues::Cues;
use super::line::{LineEdit, MaskedSentence, PEOPLE, is_person};

/// A kind of shortening.
struct Shortening {
    pattern: Regex,
    kind: ShorteningKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ShorteningKind {
    /// Leaves out the group `out` if it is plain, and a verb follows.
    Attribute,
    /// Leaves out the group `out` if it is plain and does not end in a word that belongs to the name.
    Lead,
    /// Leaves out the group `out` unless it is an adverb of doubt.
    Adverb,
    /// Leaves out a title or an adjective before a name, `old Tom`.
    Epithet,
    /// Leaves out the time of day before a clause, `It was past midnight when Tom …`.
    TimeOfDay,
    /// Leaves out the description before a name, `a sailor called`, from its last article on.
    Named,
    /// Leaves out the description before a name at the end of a clause, `the curate, `, unless it has another part of the sentence.
    Described,
    /// Turns `Tom was said to have` into `they said Tom had`.
    Report,
}

/// Words behind a comma with which no verb begins.
pub(super) const NO_VERB: &[&str] = &[
    "and", "or", "but", "who", "whom", "whose", "which", "the", "a", "an", "his", "her", "their", "my", "our", "your",
    "its", "he", "she", "they", "it", "we", "i", "you", "for", "with", "without", "in", "on", "at", "of", "as", "to",
    "from", "by", "nor", "so", "because", "when", "where", "while", "then", "if", "though", "although", "not", "no",
    "all", "both", "that", "this", "like", "until", "since", "before", "after", "than",
];
/// Words before a name that belong to the name, or lead to it.
pub(super) const NO_END: &[&str] = &[
    "of", "in", "on", "at", "by", "to", "with", "from", "for", "and", "or", "but", "the", "a", "an", "his", "her",
    "their", "its", "my", "our", "your", "that", "this", "than", "as", "like", "near", "behind", "beside", "under",
    "over", "above", "below", "into", "through", "between", "among", "against", "about", "after", "before", "until",
    "since", "towards", "toward", "without", "within", "beyond", "across", "along", "around", "round", "off", "was",
    "were", "is", "are", "did", "does", "do", "had", "has", "have", "came", "went", "stood", "sat", "lay", "hung",
    "ran", "where", "when", "which", "who", "whom", "because", "not", "nor", "said", "if", "so", "up", "down", "out",
    "back", "every", "each", "no", "never", "only", "saw", "met",
];
/// Adverbs that doubt a statement, deny it, or tell it as past.
const DOUBTS: &[&str] = &[
    "nearly",
    "hardly",
    "scarcely",
    "barely",
    "supposedly",
    "allegedly",
    "reportedly",
    "apparently",
    "possibly",
    "probably",
    "presumably",
    "seemingly",
    "formerly",
    "previously",
    "virtually",
    "practically",
    "merely",
    "family",
    "rarely",
    "ostensibly",
    "purportedly",
    "only",
    "early",
    "usually",
    "generally",
    "occasionally",
    "nominally",
    "theoretically",
    "originally",
];

static SHORTENINGS: LazyLock<Vec<Shortening>> = LazyLock::new(|| {
    use ShorteningKind::{Adverb, Attribute, Described, Epithet, Lead, Named, Report, TimeOfDay};
    let sources = [
        (
            Epithet,
            r"(?:^[“‘\s]*|[ “‘—])(?P<out>(?:(?i:old|young|poor|little|dear|good|big|brave|mad|wicked|gentle|honest|plain|pretty|sweet|fat|tall|lame|blind|crazy|dying|drunken|weary|tired|hapless|wretched|unlucky|faithful|stubborn|merry|mr\.?|mrs\.?|ms\.?|miss|dr\.?|master|mistress|captain|colonel|major|sergeant|corporal|lieutenant|private|inspector|constable|professor|reverend|sister|lady|lord|sir|dame) )+)(?P<keep>{P})",
        ),
        (
            TimeOfDay,
            r"(?P<out>\b[Ii]t (?:was|is) (?:not (?:until|till) )?(?:already |now |only |just |still |almost |nearly |about |close (?:on|to) |long |well |shortly |a little |near |after |before |past |towards |getting )*(?:midnight|noon|midday|dawn|daybreak|dusk|dark|nightfall|sunset|sunrise|daylight|light|late|evening|morning|afternoon|night|(?:[a-z-]+ )?o[’']clock|(?:half past|a quarter (?:past|to)) [a-z]+|[a-z]+ in the (?:morning|afternoon|evening)|(?:the )?(?:next|following|third|second|fourth|fifth|last) (?:day|night|morning|evening|week)|(?:raining|snowing)(?: hard| heavily)?)(?:,| already| again)? (?:when|before|that) )(?P<keep>{P}) ",
        ),
        (Attribute, r"(?P<keep>{P})(?P<out>, [^.;:\x01{P}—]{3,80},)(?P<verb> [a-z]+)"),
        (Attribute, r"(?P<keep>{P}[’']s (?:[a-z]+ )?[a-z]+)(?P<out>, [^.;:\x01{P}—]{3,80},)(?P<verb> [a-z]+)"),
        (Attribute, r"(?P<keep>{P})(?P<out> ?—[^.;\x01{P}—]{3,80}—| \([^)\x01{P}]{3,60}\))(?P<verb> ?[a-z]+)"),
        (Attribute, r"^(?P<out>(?:The|Our|Her|His|My|An?) [^.,;:\x01{P}]{2,50}, )(?P<keep>{P}),(?P<verb> [a-z]+)"),
        (
            Attribute,
            r"(?i)\b(?P<out>it(?:[’']s| was| is) (?:the [^.;:,\x01{P}]{2,50}, )?)(?P<keep>{P}),?(?P<who> who| that)(?P<verb> [a-z]+)",
        ),
        (
            Lead,
            r"^(?P<out>(?:In|On|At|By|During|Towards?|For|From|Through|All|That|This|Of|Within|Under|Some|Every|Each|One|Ever since|Early|Late|Shortly after|Soon after|With|Without|Across|Along|Beside|Behind|Above|Beneath|Near|Outside|Inside|Like|Down|Up|Over|Out|Off|Once|As|Not|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten) [^.;:,\x01{P}]{2,70} )(?P<keep>{P}) ",
        ),
        (Lead, r"^(?P<out>[A-Z][a-z]+ly )(?P<keep>{P}) "),
        (
            Lead,
            r"^(?P<out>(?:(?:An?|Two|Three|Four|Five|Six|Ten|Some|Several|Many) (?:[a-z]+ )?(?:minutes?|hours?|days?|nights?|weeks?|months?|years?|mornings?|evenings?) (?:after|before|later|into|from|past)|The (?:next|following|same|very next|other|first|last|day|night|morning|week|month|year|summer|winter|spring|autumn)|To|Because of|Despite|In spite of|Thanks to|Against|Until|After|Since|Upon|Following|Throughout) (?:the|an?|his|her|their|that|this|dinner|supper|breakfast|tea|all|day|night|morning|evening|[a-z]+ (?:years|months|weeks|days)) ?[^.;:,\x01{P}]{0,60} )(?P<keep>{P}) ",
        ),
        (
            Named,
            r"\b(?P<out>(?:an?|the|his|her|their|our|one|some) (?:[A-Za-z’'-]+,? ){1,5}?(?:named|called|by the name of|of the name of) )(?P<keep>{P})",
        ),
        (Described, r"[a-z] (?P<out>(?:the|an?|his|her|their) (?:[a-z-]+ ){0,2}?[a-z-]+,? )(?P<keep>{P})(?:[.,;]|$)"),
        (
            Adverb,
            r"(?P<keep>{P})(?P<out>(?:,? (?:[a-z]+ly|also|still|now|then|soon|later|again|just|both|already|himself|herself|at (?:last|length|once|first)|in (?:the end|turn|fact|due course)|after all|of course|once (?:more|again)|as (?:usual|always|ever)|by (?:now|then)|all (?:at once|alone)|for (?:his|her) part|long since|straight ?away|meanwhile|afterwards|nevertheless|nonetheless|however|too|even|to (?:his|her|their|everyone[’']s|everybody[’']s|nobody[’']s|our) [a-z]+|without (?:a word|a sound|hesitation|another word|more ado|thinking)),?)+) [a-z]",
        ),
        (
            Adverb,
            r"(?P<keep>{P} (?:had|has|have|was|is|were|are))(?P<out> (?:[a-z]+ly|long|also|still|now|then|soon|later|just|already|at (?:last|length|once)|in (?:the end|turn|fact|due course)|after all|of course|by (?:now|then)|long since|meanwhile|afterwards|however|even)) [a-z]",
        ),
        (
            Report,
            r"(?P<keep>{P}) (?P<out>(?:was|is) (?:said|reputed|rumoured|rumored|reported)(?: by [a-z ]{3,30})? to (?P<verb>have been|have|be)) ",
        ),
    ];
    let people = format!("[{PEOPLE}]");
    let shortening = |(kind, source): (ShorteningKind, &str)| {
        // Inside a class the range stands bare.
        let pattern = source.replace("\\x01{P}", &format!("\\x01{PEOPLE}")).replace("{P}", &people);
        Shortening { pattern: Regex::new(&pattern).expect("a shortening is a pattern"), kind }
    };
    sources.into_iter().map(shortening).collect()
});

/// Returns the sentence without the parts that may be left out, or `None` if there are none.
pub(super) fn reduced<'m>(line: &MaskedSentence<'m>, cues: &Cues) -> Option<MaskedSentence<'m>> {
    let mut shorter: Option<MaskedSentence<'m>> = None;
    for shortening in SHORTENINGS.iter() {
        let current = shorter.as_ref().unwrap_or(line);
        let mut edits: Vec<LineEdit> = Vec::new();
        for captures in shortening.pattern.captures_iter(&current.text) {
            edits.extend(shortening.edits(&captures, cues));
        }
        if !edits.is_empty() {
            shorter = Some(current.edited(&edits));
        }
    }
    shorter
}

/// Returns the sentence with the relative clauses of its people as main clauses, `Tom, who was sixty, …` as `Tom was sixty, …`,
/// or `None` without any.
pub(super) fn unrelated<'m>(line: &MaskedSentence<'m>) -> Option<MaskedSentence<'m>> {
    const WHO: &str = ", who ";
    let begins = |at: &usize| line.text[..*at].ends_with(is_person);
    let found = line.text.match_indices(WHO).map(|(at, _)| at).filter(begins);
    let edits: Vec<LineEdit> = found.map(|at| (at..at + WHO.len(), " ".to_owned())).collect();
    (!edits.is_empty()).then(|| line.edited(&edits))
}

impl Shortening {
    /// Returns the edits for a match; none if a part must stay.
    fn edits(&self, captures: &Captures<'_>, cues: &Cues) -> Vec<LineEdit> {
        let (Some(out), Some(keep)) = (captures.name("out"), captures.name("keep")) else { return Vec::new() };
        let verb = captures.name("verb").map_or("", |verb| verb.as_str().trim());
        let words = out.as_str().trim_matches([',', ' ', '—', '(', ')']);
        let last = words.rsplit(' ').next().unwrap_or_default().to_lowercase();
        match self.kind {
            // `like his father before him` supposes nothing.
            ShorteningKind::Attribute
                if NO_VERB.contains(&verb)
                    || !cues.is_plain_attribute(words.strip_prefix("like ").unwrap_or(words)) =>
            {
                Vec::new()
            }
            ShorteningKind::Attribute => {
                let mut edits = vec![(out.range(), String::new())];
                // The comma, or `who`, between the name and its verb.
                let rest = keep.end()..captures.name("verb").map_or(keep.end(), |verb| verb.start());
                if out.start() < keep.start() && !rest.is_empty() {
                    edits.push((rest, String::new()));
                }
                edits
            }
            ShorteningKind::Lead if NO_END.contains(&last.as_str()) && !words.ends_with(" only") => Vec::new(),
            ShorteningKind::Lead if !cues.is_plain_lead(words) || DOUBTS.contains(&last.as_str()) => Vec::new(),
            ShorteningKind::Adverb if words.split([' ', ',']).any(|word| DOUBTS.contains(&word)) => Vec::new(),
            ShorteningKind::Lead | ShorteningKind::Adverb | ShorteningKind::Epithet | ShorteningKind::TimeOfDay => {
                vec![(out.range(), String::new())]
            }
            ShorteningKind::Named => vec![(out.start() + last_article(out.as_str())..out.end(), String::new())],
            ShorteningKind::Described => {
                let mut described = words.split(' ').skip(1).map(str::to_lowercase);
                match described.any(|word| NO_END.contains(&word.as_str())) {
                    true => Vec::new(),
                    false => vec![(out.range(), String::new())],
                }
            }
            ShorteningKind::Report => {
                let told = match verb {
                    "have been" | "be" => "was",
                    _ => "had",
                };
                vec![(keep.start()..keep.start(), "they said ".to_owned()), (out.range(), told.to_owned())]
            }
        }
    }
}

/// Returns where the last article or possessive of a description begins.
fn last_article(words: &str) -> usize {
    const ARTICLES: [&str; 9] = ["a ", "an ", "the ", "his ", "her ", "their ", "our ", "one ", "some "];
    let mut begins = words.match_indices(' ').map(|(at, _)| at + 1);
    begins.rfind(|at| ARTICLES.iter().any(|article| words[*at..].starts_with(article))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::forms::tests::told;

    #[test]
    fn what_stands_between_a_subject_and_its_verb_is_left_out() {
        for (text, expected) in [
            ("Ada, having lost her first husband at sea, married Tom in May.", "Ada married_to Tom Vane Narrated"),
            ("In the winter of that year Ada married Tom.", "Ada married_to Tom Vane Narrated"),
            ("It was the stable boy, Will, who stole the sword.", "Will gets sword Narrated"),
            ("The cooper, Tom, was missing two fingers.", "Tom Vane trait \"missing two fingers\" Narrated"),
            ("Will (he had come by the early boat) was a surgeon.", "Will occupation \"surgeon\" Narrated"),
            ("Will, who had red hair, filled the door.", "Will hair_colour \"red\" Narrated"),
            ("Ada is said to have grey eyes.", "Ada eye_colour \"grey\" Said"),
            ("It was past midnight when Ada at last rode into Saltmarsh.", "Ada is_at Saltmarsh Narrated"),
            ("Will was the natural son of poor old Tom.", "Will child_of Tom Vane Narrated"),
            ("Quietly Ada married Tom.", "Ada married_to Tom Vane Narrated"),
        ] {
            assert!(told(text).iter().any(|found| found == expected), "{text}: {:?}", told(text));
        }
    }

    #[test]
    fn a_part_that_changes_the_mode_stays() {
        for text in [
            "Ada, had she been free, married Tom in her thoughts.",
            "In a play of that year Ada perhaps married Tom.",
            "Will supposedly was a surgeon.",
            "In those days Tom was a cooper.",
            "Had Mara been his sister, Tom would have forgiven her.",
            "Nearly Ada married Tom.",
        ] {
            assert!(told(text).iter().all(|found| !found.contains("Narrated")), "{text}: {:?}", told(text));
        }
    }
}
