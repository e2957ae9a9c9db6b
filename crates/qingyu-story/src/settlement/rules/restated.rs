//! Other wordings of an English sentence, in which what stands without a subject of its own becomes a clause with its subject, so
//! that a pattern need not list the constructions.
//!
//! `Tom, then a lad of nine, rose and took the sword` becomes `Tom, Tom was a lad of nine, rose and Tom took the sword`. Restated
//! are appositions, relative clauses with `whose`, participles, joined verbs and objects, contractions, and `it` for the only
//! thing of a sentence. Words that change the mode of a statement stay in the sentence.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use super::cues::Cues;
use super::english::names_rival;
use super::line::{LineEdit, MaskedSentence, add_edits, is_person, is_thing};
use super::reduced::{NO_END, NO_VERB, reduced, unrelated};
use super::slots::compile;

/// Verbs that continue a sentence about its subject: `Tom rose and took`.
const VERBS: &str = "was|were|had|lived|lodged|dwelt|resided|boarded|settled|moved|taught|worked|served|married|died|drowned|perished|\
    became|gave|handed|passed|sold|lent|sent|left|took|stole|bought|found|received|inherited|held|carried|wore|kept|owned|\
    clutched|gripped|drew|raised|lifted|burned|burnt|lost|dropped|threw|flung|came|went|walked|stepped|entered|reached|arrived|\
    returned|stood|sat|lay|knelt|waited|hid|slept|turned|killed|murdered|hailed|weighed|has|is|lives|works|keeps|owns|holds|\
    laid|put|placed|pressed|thrust|pushed|slid|slipped|shoved|tucked|set|tossed|hurled|brought|rode|ran|drove|climbed|hurried|\
    crept|strode|fell|knocked|wrote|signed|crouched|leaned|perched|dwelled|retired|emigrated|bore|fathered|wed|wedded|burst|\
    limped|staggered|marched|grabbed|snatched|seized|pocketed|borrowed|pawned|wiped|sheathed|buried|presented|entrusted|delivered";
/// Verbs of saying and thinking: `A thief, Tom thought, …`.
const SAYS: &str = "said|says|thought|thinks|knew|knows|believed|supposed|felt|decided|wrote|added|replied|answered|asked|told|\
    reflected|noted|remarked|observed|explained|realised|realized|saw|guessed|imagined|remembered|reckoned|judged|feared|hoped|\
    heard";
/// Words behind which a verb may be about somebody else, beside [`SAYS`].
const LINKS: &str = "that|who|whom|which|whose|when|while|if|as|because|where|how|what|why|whether|until|before|after|since|though|\
    although|unless|lest|watched|let|made|begged|ordered|bade";
/// Numbers with which a measure or a count begins.
const NUMBERS: &str = "(?:a hundred|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|\
    eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)";
/// Participles of having something, with their past tenses.
const HANDLING: [(&str, &str); 12] = [
    ("holding", "held"),
    ("carrying", "carried"),
    ("wearing", "wore"),
    ("clutching", "clutched"),
    ("gripping", "gripped"),
    ("brandishing", "brandished"),
    ("giving", "gave"),
    ("handing", "handed"),
    ("leaving", "left"),
    ("taking", "took"),
    ("stealing", "stole"),
    ("selling", "sold"),
];
/// Further participles, and `with`, with their past tenses.
const DOING: [(&str, &str); 7] = [
    ("having", "had"),
    ("with", "had"),
    ("living", "lived"),
    ("lodging", "lodged"),
    ("working", "worked"),
    ("dying", "died"),
    ("marrying", "married"),
];
/// Participles of places and measures with which a sentence may begin, with their past tenses.
const FRONTED: [(&str, &str); 10] = [
    ("standing", "stood"),
    ("sitting", "sat"),
    ("lying", "lay"),
    ("kneeling", "knelt"),
    ("crouching", "crouched"),
    ("waiting", "waited"),
    ("sleeping", "slept"),
    ("hiding", "hid"),
    ("measuring", "measured"),
    ("weighing", "weighed"),
];
/// Words behind a contracted `has`: `Tom’s got`.
const PERFECT: [&str; 10] = ["been", "got", "had", "taken", "stolen", "sold", "lost", "given", "left", "turned"];
/// Verbs that end in `ed` in the present.
const NO_PARTICIPLE: [&str; 10] =
    ["need", "feed", "heed", "bleed", "breed", "speed", "shed", "proceed", "exceed", "succeed"];
/// Words directly before a name with which a sentence may begin.
const BEFORE_NAME: [&str; 32] = [
    "old", "young", "poor", "little", "dear", "mr", "mr.", "mrs", "mrs.", "miss", "dr", "dr.", "captain", "aunt",
    "uncle", "father", "mother", "sister", "brother", "king", "queen", "lord", "lady", "sir", "then", "now", "but",
    "and", "so", "yet", "later", "both",
];
/// Words with which a time or a place before the subject begins.
const LEADS: [&str; 14] =
    ["in", "on", "at", "by", "during", "for", "from", "that", "this", "some", "next", "one", "two", "three"];
/// Words before a noun that belongs to no verb: `took the key from the hook`.
const PREPOSITIONS: [&str; 26] = [
    "from", "of", "off", "in", "on", "at", "to", "into", "with", "by", "under", "behind", "over", "out", "round",
    "around", "for", "through", "after", "before", "beside", "near", "across", "up", "down", "inside",
];

struct Patterns {
    /// `Tom’d lived`.
    had: Regex,
    /// `Tom’s a cooper`.
    is: Regex,
    whose: Regex,
    /// `Tom’s eyes, which were green`.
    which: Regex,
    apposition: Regex,
    /// A measure or a count beside the name of a person, a place, a thing or a power.
    measure: Regex,
    /// Words of an apposition that names somebody else beside the person.
    also: Regex,
    /// An attribute before its person, the group `np`.
    fronted: Regex,
    fronted_participle: Regex,
    subject: Regex,
    doing: Regex,
    handling: Regex,
    /// A verb of moving or being somewhere, behind the subject.
    moves: Regex,
    joined: Regex,
    /// `had black hair, a broken nose and a scar`.
    objects: Regex,
    joined_object: Regex,
    links: Regex,
    says: Regex,
    new_subject: Regex,
    /// A possessive before a part of the subject or of its clothes, the group `out`.
    own: Regex,
    /// `it` behind a verb, the group `out`.
    pronoun: Regex,
    noun: Regex,
    /// A time behind the statement, the group `out`.
    tail: Regex,
    pluperfect: Regex,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let participles = |words: &[(&str, &str)]| words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join("|");
    let words = [
        ("verbs", VERBS.to_owned()),
        ("says", SAYS.to_owned()),
        ("links", format!("{LINKS}|{SAYS}")),
        ("handling", participles(&HANDLING)),
        ("doing", participles(&DOING)),
        ("fronted", participles(&FRONTED)),
        ("begin", r"^[“\x22‘\s]*".to_owned()),
        ("number", NUMBERS.to_owned()),
        ("season", "(?:spring|summer|autumn|fall|winter)".to_owned()),
    ];
    let slots: BTreeMap<String, String> = words.into_iter().map(|(name, words)| (name.to_owned(), words)).collect();
    let parse = |pattern: &str| compile(pattern, &slots);
    Patterns {
        had: parse(
            r"{P}(?P<out>[’']d)(?: (?:never|always|just|only|already|once|since|long|[a-z]+ly))* (?P<verb>been|had|gone|come|known|given|taken|seen|left|lost|kept|held|bought|sold|met|grown|fallen|made|found|sent|lent|[a-z]+ed)\b",
        ),
        is: parse(
            r"(?:{P}|\bwho)(?P<out>[’']s) (?P<next>(?:(?:been|got|had|an?|the|not|still|already|now|from|in|at|on|my|his|our|their|your|living|staying|married to|engaged to|(?:taken|stolen|sold|lost|given|left) (?:the|his|her|my|our|it)|turned {number})\b|(?:dead|alive|back|left-handed|right-handed|{number}(?: years old)?)(?:[.,;!—”\x01]|$| and\b| but\b| since\b)))",
        ),
        whose: parse(r"(?P<who>{P})(?P<out>,? whose) "),
        which: parse(
            r"(?:{P}[’']s (?:[a-z]+ )?[a-z]+|[{L}{I}{O}])(?P<out>,? which) (?:was|were|is|are|had|has|belonged|stood|lay|hung)\b",
        ),
        measure: parse(
            r"(?P<who>[{P}{L}{I}{O}]), (?P<np>(?:{number}|\d)[^.;,:\x01]{0,30} (?:high|tall|long|wide|deep|thick|strong)),",
        ),
        apposition: parse(
            r"(?P<who>{P}), (?P<adverb>(?:then|now|still|only|just|already|by then|by now|at that time|at the time|himself|herself) )?(?P<np>(?:an?|the|aged|born|raised|married|blind|lame|deaf|tall|short|thin|stout) [^.;,:\x01—]{3,70})(?:,|[.;!]|$)",
        ),
        also: parse(r" (?:and|or) (?:{P}|[A-Z]|(?:the|his|her|their) )"),
        fronted: parse(
            r"{begin}(?:As )?(?P<np>(?:An?|(?i:the|our)) (?:[a-z]+ ){0,2}(?:carpenter|doctor|surgeon|teacher|lawyer|smith|blacksmith|nurse|midwife|priest|vicar|captain|clerk|cook|farmer|soldier|sailor|fisherman|ferryman|innkeeper|judge|mayor|magistrate|sergeant|constable|engineer|butcher|baker|miller|tailor|librarian|schoolmaster|schoolmistress|apothecary|notary|gardener|governess|housekeeper|steward|inspector|detective|journalist|editor|secretary|accountant)[^.;,:\x01{P}]{0,40}|An? [^.;,:\x01]{3,60}|The [a-z -]+ of [^.;,:\x01]{2,40}|(?i:(?:still |now |just |only )*(?:blind|lame|deaf|tall|short|thin|stout|lean|bald|aged|[a-z]+-(?:eyed|haired|handed|shouldered)|born|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety))[^.;,:\x01{P}]{0,50}),(?:[^.;:\x01{P}]{0,60},)? (?P<who>{P}) (?P<verb>[a-z]+)",
        ),
        fronted_participle: parse(
            r"{begin}(?P<out>(?i:{doing}|{fronted}|{handling})) (?P<thing>(?:the|an?|his|her) (?:[a-z]+ )?{I})?[^.;:\x01{P}]{0,80}, (?P<who>{P})[ ,]",
        ),
        subject: parse(r"{begin}(?P<lead>[^.;:\x01{P}]{0,70}?)(?P<who>{P}(?: and {P})?)[ ,]"),
        doing: parse(r", (?P<out>{doing}) "),
        handling: parse(r"(?P<comma>,?) (?P<out>{handling}) (?:the|an?|his|her) (?:[a-z]+ )?{I}"),
        moves: parse(
            r"^ (?:stood|sat|came|went|walked|ran|entered|lay|waited|knelt|appeared|returned|arrived|rode|hurried|left)\b",
        ),
        joined: parse(r"(?:,? and(?: then| later| afterwards| soon)?|,|,? but|,? then) (?P<verb>{verbs})\b"),
        objects: parse(
            r"^ (?P<verb>had|has|owned|carried|kept|wore|held|took|bought|stole|inherited|lost|sold) (?:(?:an?|the|his|her|two|three|four|five) |(?:[a-z-]+,? ){1,3}(?:eyes|hair)\b)[^.;:\x01{P}]*",
        ),
        joined_object: parse(r"(?:,|,? and) (?P<np>(?:an?|the|his|her) )"),
        links: parse(r"(?i)\b(?:{links})\b"),
        says: parse(r"^(?:{says})$"),
        new_subject: parse(
            r"(?:[,;]| and| but| so) (?:(?i:the|an?|his|her|their|its|he|she|they|it|we|i|one|some|somebody|everyone|nobody|people)\b|{P}|[A-Z])",
        ),
        own: parse(
            r"\b(?:from|in|into|out of|through|at|on|round|around|off|behind|under|against|across|down|over|(?:pinned|combed|brushed|shook|tossed|tied|pushed|washed|dried|braided|plaited|bound|covered|touched|smoothed|wore|twisted|loosened|unpinned|uncovered)(?: up| down| back| out)?) (?P<out>his|her) (?:[a-z]+ )?(?:hair|hand|hands|palm|fingers|finger|grasp|grip|fist|arms|lap|pocket|pockets|belt|bag|satchel|possession|keeping|coat|sleeve|neck|waist|hip|side|shoulder|back|saddle|cheek|chin|brow|forehead|wrist|forearm)\b",
        ),
        pronoun: parse(
            r"\b(?:handed|gave|passed|sold|lent|sent|threw|took|put|slipped|pressed|kept|held|carried|returned|brought|tossed|left|stole|dropped|burned|pawned|hid|given|taken|laid|placed|thrust|pushed|slid|shoved|tucked|set|flung|hurled|wiped|sheathed|buried|locked|bought|lost|wore|hung|drew|burnt|tore|wrapped|delivered|entrusted|offered|pocketed|slapped|slammed|stuffed) (?P<out>it|them)\b",
        ),
        noun: parse(r"(?P<before>[a-z]+) (?:the|an?|his|her|its|some) "),
        tail: parse(
            r"(?i)(?P<out>,? (?:(?:soon |shortly |just |immediately |a (?:year|week|month) )?after (?:the|his|her|their) [a-z’ -]{3,30}|the (?:day|night|week|month|year|{season}|morning|evening) (?:that )?(?:the|his|her|their|they|war) [a-z’ ]{3,40}|(?:that|the (?:same|next|following)|one) (?:very )?(?:[a-z]+ )?(?:day|night|morning|evening|afternoon|week|month|year|{season})|in (?:the )?(?:[a-z]+ )?(?:{season}|January|February|March|April|May|June|July|August|September|October|November|December|year)(?: of)?(?: \d{4})?|in \d{4}|(?:for )?all (?:of )?(?:his|her) life|(?:an?|[a-z]+) (?:years?|months?|weeks?|days?) later|with (?:his|her|the) [a-z ]{3,25}|to this day|all the while|all along|all the time|all day))(?:[.;!]|\s*$)",
        ),
        pluperfect: parse(
            r"{P}(?P<out> (?:had|has|have) been) (?:[a-z]+ed|shot|slain|lost|hung|burnt|born|beaten|laid)\b",
        ),
    }
});

/// The person, or the two, with whom a sentence begins.
struct LineSubject<'t> {
    who: &'t str,
    end: usize,
}

/// Returns the further wordings of a sentence.
pub(super) fn wordings<'m>(line: &MaskedSentence<'m>, cues: &Cues) -> Vec<MaskedSentence<'m>> {
    let shorter = reduced(line, cues);
    let main = unrelated(line);
    let full = restated(main.as_ref().unwrap_or(line), cues);
    let full_shorter = full.as_ref().and_then(|line| reduced(line, cues));
    let last = [&full_shorter, &full, &shorter].into_iter().flatten().next();
    let trimmed = trimmed(last.unwrap_or(line), cues);
    let owned = PATTERNS.owned(last.unwrap_or(line), cues);
    [shorter, main, full, full_shorter, trimmed, owned].into_iter().flatten().collect()
}

/// Returns the sentence with its pluperfect passives in the past tense, `Tom had been shot` as `Tom was shot`, or `None` without
/// any: only for statements that stay true.
pub(super) fn in_past_tense<'m>(line: &MaskedSentence<'m>) -> Option<MaskedSentence<'m>> {
    let found = PATTERNS.pluperfect.captures_iter(&line.text).filter_map(|found| found.name("out"));
    let edits: Vec<LineEdit> = found.map(|out| (out.range(), " was".to_owned())).collect();
    (!edits.is_empty()).then(|| line.edited(&edits))
}

/// Returns the sentence with everything restated, or `None` if nothing is.
fn restated<'m>(line: &MaskedSentence<'m>, cues: &Cues) -> Option<MaskedSentence<'m>> {
    let text = line.text.as_str();
    let mut edits: Vec<LineEdit> = Vec::new();
    PATTERNS.contractions(text, &mut edits);
    PATTERNS.attributes(text, cues, &mut edits);
    if let Some(subject) = PATTERNS.subject(text, cues) {
        PATTERNS.participles(text, &subject, &mut edits);
        PATTERNS.joined_verbs(text, &subject, &mut edits);
        PATTERNS.joined_objects(text, &subject, &mut edits);
    }
    PATTERNS.pronouns(text, &mut edits);
    (!edits.is_empty()).then(|| line.edited(&edits))
}

/// Returns the sentence without a time or a companion at its end, or `None` if it has none.
fn trimmed<'m>(line: &MaskedSentence<'m>, cues: &Cues) -> Option<MaskedSentence<'m>> {
    let out = PATTERNS.tail.captures(&line.text)?.name("out")?;
    cues.is_plain_lead(out.as_str()).then(|| line.edited(&[(out.range(), String::new())]))
}

impl Patterns {
    /// Writes out `’d` and `’s`.
    fn contractions(&self, text: &str, edits: &mut Vec<LineEdit>) {
        for found in self.had.captures_iter(text) {
            let (Some(out), Some(verb)) = (found.name("out"), found.name("verb")) else { continue };
            if !NO_PARTICIPLE.contains(&verb.as_str()) {
                add_edits(edits, vec![(out.range(), " had".to_owned())]);
            }
        }
        for found in self.is.captures_iter(text) {
            let (Some(out), Some(next)) = (found.name("out"), found.name("next")) else { continue };
            let first = next.as_str().split(' ').next().unwrap_or_default();
            let verb = if PERFECT.contains(&first) { " has" } else { " is" };
            add_edits(edits, vec![(out.range(), verb.to_owned())]);
        }
    }

    /// Makes clauses of `whose`, of `which` and of what stands beside a name in commas.
    fn attributes(&self, text: &str, cues: &Cues, edits: &mut Vec<LineEdit>) {
        for found in self.whose.captures_iter(text) {
            let (Some(who), Some(out)) = (found.name("who"), found.name("out")) else { continue };
            add_edits(edits, vec![(out.range(), format!(", {}’s", who.as_str()))]);
        }
        for out in self.which.captures_iter(text).filter_map(|found| found.name("out")) {
            add_edits(edits, vec![(out.range(), String::new())]);
        }
        for found in self.measure.captures_iter(text) {
            let (Some(who), Some(words)) = (found.name("who"), found.name("np")) else { continue };
            add_edits(edits, vec![(words.start()..words.start(), format!("{} was ", who.as_str()))]);
        }
        for found in self.apposition.captures_iter(text) {
            let (Some(who), Some(words)) = (found.name("who"), found.name("np")) else { continue };
            // `Tom, the carpenter, and Ada` may be three people.
            let is_list = [", and ", ", or "].iter().any(|join| text[words.end()..].starts_with(join));
            let is_list = is_list || self.also.is_match(words.as_str());
            if !is_list && cues.is_plain_attribute(words.as_str()) {
                let from = found.name("adverb").map_or(words.start(), |adverb| adverb.start());
                add_edits(edits, vec![(from..words.start(), format!("{} was ", who.as_str()))]);
            }
        }
        if let Some(found) = self.fronted.captures(text)
            && let (Some(words), Some(who), Some(verb)) = (found.name("np"), found.name("who"), found.name("verb"))
        {
            let is_be = ["was", "is", "were"].contains(&verb.as_str());
            let is_denied = is_be && [" not ", " never "].iter().any(|word| text[verb.end()..].starts_with(word));
            let is_clause = NO_VERB.contains(&verb.as_str()) || self.says.is_match(verb.as_str());
            if !is_denied && !is_clause && cues.is_plain_attribute(words.as_str()) {
                // The attribute begins with a capital only because the sentence does.
                let first: String = words.as_str().chars().take(1).collect();
                let range = words.start()..words.start() + first.len();
                add_edits(edits, vec![(range, format!("{} was {}", who.as_str(), first.to_lowercase()))]);
            }
        }
        if let Some(found) = self.fronted_participle.captures(text)
            && let (Some(out), Some(who)) = (found.name("out"), found.name("who"))
        {
            let word = out.as_str().to_lowercase();
            let past = past_tense(&word);
            let is_read = found.name("thing").is_some() || !HANDLING.iter().any(|(known, _)| *known == word);
            if let Some(past) = past.filter(|_| is_read) {
                add_edits(edits, vec![(out.range(), format!("{} {past}", who.as_str()))]);
            }
        }
    }

    /// Returns the person, or the two, with whom a sentence begins, perhaps after a title, a time or a place.
    fn subject<'t>(&self, text: &'t str, cues: &Cues) -> Option<LineSubject<'t>> {
        let found = self.subject.captures(text)?;
        let (lead, who) = (found.name("lead")?, found.name("who")?);
        let words = lead.as_str().trim_end_matches([' ', ',']);
        let lower = words.to_lowercase();
        let first = lower.split(' ').next().unwrap_or_default();
        let last = lower.rsplit(' ').next().unwrap_or_default();
        let is_set_off = lead.as_str().trim_end().ends_with(',');
        let is_lead = is_set_off || LEADS.contains(&first) && !NO_END.contains(&last);
        let begins = words.is_empty() || BEFORE_NAME.contains(&last) || is_lead;
        (begins && cues.is_plain_lead(words)).then(|| LineSubject { who: who.as_str(), end: who.end() })
    }

    /// Makes clauses of participles: `, having lost a leg`, `holding the sword`.
    fn participles(&self, text: &str, subject: &LineSubject<'_>, edits: &mut Vec<LineEdit>) {
        let rest = &text[subject.end..];
        for found in self.doing.captures_iter(rest).chain(self.handling.captures_iter(rest)) {
            let Some(out) = found.name("out") else { continue };
            let between = &rest[..out.start()];
            let is_interrupted = between.chars().any(|c| is_person(c) || ends_clause(c));
            let is_joined = found.name("comma").is_some_and(|comma| comma.is_empty());
            let Some(past) = past_tense(out.as_str()).filter(|_| !is_interrupted) else { continue };
            if !is_joined || self.moves.is_match(rest) {
                let join = if is_joined { "and " } else { "" };
                let range = subject.end + out.start()..subject.end + out.end();
                add_edits(edits, vec![(range, format!("{join}{} {past}", subject.who))]);
            }
        }
    }

    /// Sets the subject before further verbs: `Tom rose and took` becomes `Tom rose and Tom took`.
    fn joined_verbs(&self, text: &str, subject: &LineSubject<'_>, edits: &mut Vec<LineEdit>) {
        for found in self.joined.captures_iter(&text[subject.end..]) {
            let Some(verb) = found.name("verb") else { continue };
            let at = subject.end + verb.start();
            let between = &text[subject.end..at];
            let is_other = between.contains(ends_clause) || self.new_subject.is_match(between);
            if !is_other && !self.links.is_match(&text[..at]) {
                add_edits(edits, vec![(at..at, format!("{} ", subject.who))]);
            }
        }
    }

    /// Sets subject and verb before further objects: `had grey eyes and a limp`.
    fn joined_objects(&self, text: &str, subject: &LineSubject<'_>, edits: &mut Vec<LineEdit>) {
        let Some(found) = self.objects.captures(&text[subject.end..]) else { return };
        let (Some(whole), Some(verb)) = (found.get(0), found.name("verb")) else { return };
        for object in self.joined_object.captures_iter(whole.as_str()) {
            let Some(words) = object.name("np") else { continue };
            let at = subject.end + words.start();
            if !self.links.is_match(&text[..at]) {
                add_edits(edits, vec![(at..at, format!("{} {} ", subject.who, verb.as_str()))]);
            }
        }
    }

    /// Returns the sentence with the name of its subject for `his` and `her` before a part of the body or of the clothes, or `None`
    /// without any: `Tom stumbled, and the sword slipped from his hand`.
    fn owned<'m>(&self, line: &MaskedSentence<'m>, cues: &Cues) -> Option<MaskedSentence<'m>> {
        let text = line.text.as_str();
        let subject = self.subject(text, cues)?;
        let mut edits: Vec<LineEdit> = Vec::new();
        for out in self.own.captures_iter(text).filter_map(|found| found.name("out")) {
            let between = text.get(subject.end..out.start()).unwrap_or(".");
            let is_he = out.as_str() == "his";
            let is_other = between.contains(is_person) || between.contains(ends_clause) || names_rival(between, is_he);
            if !is_other && subject.who.chars().count() == 1 {
                edits.push((out.range(), format!("{}’s", subject.who)));
            }
        }
        (!edits.is_empty()).then(|| line.edited(&edits))
    }

    /// Puts the only known thing of a sentence for `it`, unless a verb in between has another object.
    fn pronouns(&self, text: &str, edits: &mut Vec<LineEdit>) {
        let things: BTreeSet<char> = text.chars().filter(|c| is_thing(*c)).collect();
        let Some(thing) = things.first().filter(|_| things.len() == 1) else { return };
        let named = text.find(*thing).map_or(text.len(), |at| at + thing.len_utf8());
        for found in self.pronoun.captures_iter(text) {
            let Some(out) = found.name("out").filter(|out| out.start() >= named) else { continue };
            let mut nouns = self.noun.captures_iter(&text[named..out.start()]);
            let is_object = |before: &str| !PREPOSITIONS.contains(&before);
            if !nouns.any(|noun| noun.name("before").is_some_and(|before| is_object(before.as_str()))) {
                add_edits(edits, vec![(out.range(), format!("the {thing}"))]);
            }
        }
    }
}

/// Returns whether a mark ends a clause in which a subject is carried on.
fn ends_clause(c: char) -> bool {
    matches!(c, '\u{1}' | ';' | ':' | '.' | '?' | '—')
}

fn past_tense(participle: &str) -> Option<&'static str> {
    HANDLING.iter().chain(&DOING).chain(&FRONTED).find(|(word, _)| *word == participle).map(|(_, past)| *past)
}

#[cfg(test)]
mod tests {
    use super::super::forms::Forms;
    use super::super::forms::tests::{names, told};
    use super::super::{mentions, stretches};
    use crate::{Language, Prose};

    /// The sentence as it is read, with its names.
    fn restated(text: &str) -> Option<String> {
        let names = names();
        let (prose, mentions) = (Prose::of(text), mentions(&names, text));
        let (sentences, _) = stretches::stretches(text, &prose, &mentions, |_| true);
        let line = super::restated(&sentences[0].line, &Forms::of(Language::En).cues)?;
        Some(line.words(0..line.text.len()))
    }

    #[test]
    fn parts_without_a_subject_become_clauses() {
        for (text, expected) in [
            ("Ada, then a girl of nine, hid.", "Ada, Ada was a girl of nine, Ada hid."),
            ("A carpenter by trade, Will could mend it.", "Will was a carpenter by trade, Will could mend it."),
            ("Ada, whose eyes were brown, looked up.", "Ada, Ada’s eyes were brown, looked up."),
            ("Ada’s eyes, which were green, narrowed.", "Ada’s eyes were green, narrowed."),
            ("The wall, thirty feet high, fell.", "The wall, wall was thirty feet high, fell."),
            ("Will was lean, with green eyes.", "Will was lean, Will had green eyes."),
            ("Will rose and married Ada.", "Will rose and Will married Ada."),
            ("Old Will and Ada came and lived in York.", "Old Will and Ada came and Will and Ada lived in York."),
            ("Will limped, having lost a leg.", "Will limped, Will had lost a leg."),
            ("Will stood there holding the sword.", "Will stood there and Will held the sword."),
            ("Wearing the sword at his side, Will rode in.", "Will wore the sword at his side, Will rode in."),
            ("Ada had a son, a daughter and a limp.", "Ada had a son, Ada had a daughter and Ada had a limp."),
            ("Will took the sword and gave it to Ada.", "Will took the sword and Will gave the sword to Ada."),
            (
                "Will took the sword, found the bread and kept it.",
                "Will took the sword, Will found the bread and Will kept it.",
            ),
            ("Will’d lived in York.", "Will had lived in York."),
        ] {
            assert_eq!(restated(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_may_be_about_somebody_else_stays() {
        for text in [
            "A thief, Will thought, would have taken it.",
            "A doctor like him, Will was not.",
            "Ada saw Will, the carpenter, and the cook.",
            "When Will came and took the bread, it rained.",
            "Will sat and the cook took the bread.",
            "Will watched the cook cross the yard and took fright.",
            "Behind Will sat the cook and held the bread.",
            "Will’d need a carpenter.",
        ] {
            assert_eq!(restated(text), None, "{text}");
        }
    }

    #[test]
    fn restated_clauses_are_read() {
        for (text, expected) in [
            ("Tom, then a lad of nine, hid behind the barrel.", "Tom Vane age 9 Narrated"),
            ("Now thirty, Mara had given up hope of a letter.", "Mara age 30 Narrated"),
            ("Will, born in Perth and raised in Leith, spoke broad Scots.", "Will birthplace Perth Narrated"),
            ("Ada, who had been born in York, married Tom and settled in Leeds.", "Ada lives_in Leeds Narrated"),
            ("Will’s mother was a Pole named Ada.", "Will child_of Ada Narrated"),
            ("Edith married the curate, Will, in the spring.", "Edith Carr married_to Will Narrated"),
            ("Edith moved to York after the funeral.", "Edith Carr lives_in York Narrated"),
            ("Will had been stabbed to death behind the inn.", "Will dies true Narrated"),
            ("It’s Will who’s got the sword.", "Will holds sword Narrated"),
            ("Will stumbled, and the sword slipped from his hand.", "Will loses sword Narrated"),
            ("Standing six feet four in his stockings, Will stooped.", "Will height 6.33 Narrated"),
            ("After the war Edith became a teacher.", "Edith Carr occupation \"teacher\" Narrated"),
            ("Tom limped, having lost his left leg at sea.", "Tom Vane trait \"lost his left leg\" Narrated"),
            ("Mara rose, took the copper key from its hook and handed it to Will.", "Will gets copper key Narrated"),
        ] {
            assert!(told(text).iter().any(|found| found == expected), "{text}: {:?}", told(text));
        }
    }

    #[test]
    fn words_that_change_the_mode_stay() {
        for text in [
            "Edith dreamt that Will rose and married Ada.",
            "If Will came in and took the sword, she would scream.",
            "Will never rose and married Edith.",
            "Will would have come in and given the sword to Tom.",
            "Will, formerly a lawyer, kept bees.",
            "No carpenter, Tom built the shed badly.",
            "In the play Will was a king and died in the last act.",
            "As a child Mara lived in Hull and had red hair.",
            "Will had been a carpenter.",
        ] {
            let found = told(text);
            assert!(found.iter().all(|found| !found.ends_with("Narrated")), "{text}: {found:?}");
        }
    }
}
