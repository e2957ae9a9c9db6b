//! English questions: the gap is at the beginning, so a question is first turned into a statement. Question and
//! statement are compared word by word, in base forms.

mod words;

use qingyu_knowledge::analysis::terms;

use super::answer::{AnswerKind, is_question, narrated};
use words::{
    ARTICLES, BE, COLOURS, DENIALS, DETERMINERS, DO, DOUBTS, HAVE, IRREGULAR, JOINTS, LIGHT, NO_PLACES, NUMBERS,
    OF_PLACES, OPENERS, PREPOSITIONS, PRONOUNS, TIMES,
};

/// An English question as a statement with a gap, in base forms.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EnglishForm {
    kind: AnswerKind,
    before: Vec<String>,
    after: Vec<String>,
    /// The noun required in the gap, as in `which key`.
    noun: Option<String>,
    /// Whether the question is about identity, so that the sides of the statement can be exchanged.
    is_identity: bool,
}

/// A word of a clause.
#[derive(Debug, Clone, PartialEq)]
struct ClauseToken {
    /// The word in lower case.
    word: String,
    base: String,
    is_capital: bool,
}

impl ClauseToken {
    fn is(&self, words: &[&str]) -> bool {
        words.contains(&self.word.as_str())
    }

    /// Returns whether the word can be skipped in a comparison.
    fn is_light(&self) -> bool {
        self.is(&ARTICLES) || self.is(&BE) || self.is(&DO) || self.is(&HAVE) || self.is(&LIGHT)
    }

    fn is_number(&self) -> bool {
        let is_compound = self.word.split('-').all(|part| NUMBERS.contains(&part));
        is_compound || self.word.bytes().all(|byte| byte.is_ascii_digit())
    }
}

impl EnglishForm {
    pub(super) fn of(question: &str) -> Option<Self> {
        let text = question.trim().trim_end_matches(['?', '.', '!', ' ']);
        let mut clauses = clauses(text);
        let tokens = if clauses.len() == 1 { clauses.remove(0) } else { return None };
        let words: Vec<&str> = tokens.iter().map(|token| token.word.as_str()).collect();
        let asks = ["who", "whom", "whose", "what", "which", "where", "when", "why", "how"];
        if words.iter().skip(1).any(|word| asks.contains(word) && *word != "when") {
            return None;
        }
        match words.as_slice() {
            ["how", "old", be, ..] if BE.contains(be) => Some(Self::gap_behind(AnswerKind::Age, &tokens[3..])),
            ["how", "many", ..] => Self::how_many(&tokens[2..]),
            ["where", ..] => Self::fronted(AnswerKind::Place, &tokens[1..]),
            ["when", ..] => Self::fronted(AnswerKind::Time, &tokens[1..]),
            ["why", ..] => Self::fronted(AnswerKind::Reason, &tokens[1..]),
            ["who" | "whom", ..] => Self::about(AnswerKind::Person, None, &tokens[1..]),
            ["what", be, ..] if BE.contains(be) => {
                Self::named(&tokens[2..]).or_else(|| Self::about(AnswerKind::Thing, None, &tokens[1..]))
            }
            ["what", verb, ..] if DO.contains(verb) || HAVE.contains(verb) => {
                Self::about(AnswerKind::Thing, None, &tokens[1..])
            }
            ["what" | "which", noun, rest @ ..] if !rest.is_empty() => {
                let kind = match *noun {
                    "colour" | "color" => AnswerKind::Colour,
                    "year" | "day" | "month" | "time" => AnswerKind::Time,
                    _ => AnswerKind::Thing,
                };
                let noun = (kind == AnswerKind::Thing).then(|| tokens[1].base.clone());
                Self::about(kind, noun, &tokens[2..])
            }
            [aux, ..] if BE.contains(aux) || DO.contains(aux) || HAVE.contains(aux) => {
                Some(Self::gap_behind(AnswerKind::Truth, &tokens[1..]))
            }
            _ => None,
        }
        .filter(|form| {
            let least = if form.kind == AnswerKind::Thing && !form.is_identity { 2 } else { 1 };
            form.before.len() + form.after.len() >= least
        })
    }

    /// Returns a statement with the gap at the end.
    fn gap_behind(kind: AnswerKind, tokens: &[ClauseToken]) -> Self {
        Self { kind, before: bases(tokens), after: Vec::new(), noun: None, is_identity: false }
    }

    /// Parses `did Nora go` and `was Nora born`: the answer is at the end.
    fn fronted(kind: AnswerKind, tokens: &[ClauseToken]) -> Option<Self> {
        let (first, rest) = tokens.split_first()?;
        (first.is(&BE) || first.is(&DO) || first.is(&HAVE)).then(|| Self::gap_behind(kind, rest))
    }

    /// Parses the words after `who`, `what` or `which key`.
    fn about(kind: AnswerKind, noun: Option<String>, tokens: &[ClauseToken]) -> Option<Self> {
        let (first, rest) = tokens.split_first()?;
        let is_identity = first.is(&BE) && kind != AnswerKind::Colour && noun.is_none();
        if first.is(&DO) || (first.is(&HAVE) && noun.is_none() && kind == AnswerKind::Thing) {
            // `what did Nora keep at the mill`: the gap is after the verb.
            let place = rest.iter().skip(2).position(|token| token.is(&PREPOSITIONS)).map(|at| at + 2);
            return Some(match place.filter(|at| at + 1 < rest.len() && bases(&rest[..*at]).len() > 1) {
                Some(at) => Self { noun, after: bases(&rest[at..]), ..Self::gap_behind(kind, &rest[..at]) },
                None => Self { noun, ..Self::gap_behind(kind, rest) },
            });
        }
        if first.is(&BE) {
            return Some(Self { noun, is_identity, ..Self::gap_behind(kind, rest) });
        }
        // `who kept the mill`: the gap is the subject.
        Some(Self { kind, before: Vec::new(), after: bases(tokens), noun, is_identity: false })
    }

    /// Parses `what is the name of the mill`, `what is Nora's name`.
    fn named(tokens: &[ClauseToken]) -> Option<Self> {
        let words: Vec<&str> = tokens.iter().map(|token| token.word.as_str()).collect();
        let subject = match words.as_slice() {
            ["the", "name", "of", ..] => &tokens[3..],
            [.., "'s", "name"] => &tokens[..tokens.len() - 2],
            _ => return None,
        };
        Some(Self { is_identity: true, ..Self::gap_behind(AnswerKind::Name, subject) })
    }

    /// Parses `how many keys did Nora carry`, `how many keys were there`.
    fn how_many(tokens: &[ClauseToken]) -> Option<Self> {
        let at = tokens.iter().position(|token| token.is(&BE) || token.is(&DO) || token.is(&HAVE));
        let (before, after) = match at {
            Some(0) => return None,
            Some(at) => {
                let (noun, rest) = (&tokens[..at], &tokens[at + 1..]);
                match rest {
                    [there, place @ ..] if there.word == "there" => {
                        (vec![there.base.clone()], [bases(noun), bases(place)].concat())
                    }
                    _ if tokens[at].is(&DO) => (bases(rest), bases(noun)),
                    _ => (Vec::new(), [bases(noun), bases(rest)].concat()),
                }
            }
            None => (Vec::new(), bases(tokens)),
        };
        Some(Self { kind: AnswerKind::Number, before, after, noun: None, is_identity: false })
    }

    pub(super) fn fits(&self, sentence: &str) -> bool {
        if is_question(sentence) {
            return false;
        }
        let is_own = |word: &str| self.before.iter().chain(&self.after).any(|own| own == word || *own == base_of(word));
        let all: Vec<ClauseToken> = clauses(sentence).into_iter().flatten().collect();
        // May is a month and Will a name.
        let is_doubt = |token: &ClauseToken| token.is(&DOUBTS) && !(token.is_capital && token.is(&["may", "will"]));
        if all.iter().any(|token| is_doubt(token) && !is_own(&token.word)) {
            return false;
        }
        let because = all.iter().any(|token| token.word == "because");
        narrated(sentence).iter().flat_map(|part| clauses(part)).any(|clause| {
            let denies = clause.iter().any(|token| token.is(&DENIALS) && !is_own(&token.word));
            !denies && self.is_said_by(&clause, because)
        })
    }

    fn is_said_by(&self, clause: &[ClauseToken], because: bool) -> bool {
        if self.is_identity {
            return self.is_identified(clause);
        }
        let starts = match self.before.is_empty() {
            true => vec![(0, 0)],
            false => found(clause, &self.before),
        };
        starts.into_iter().filter(|(at, _)| self.before.is_empty() || opens(&clause[..*at])).any(|(_, end)| {
            let rest = &clause[end..];
            if self.after.is_empty() {
                return self.is_filled(rest, because);
            }
            found(rest, &self.after)
                .into_iter()
                .any(|(gap, end)| closes(&rest[end..]) && self.is_filled(&rest[..gap], because))
        })
    }

    /// Returns whether the words fill the gap; the clause may continue after the gap.
    fn is_filled(&self, gap: &[ClauseToken], because: bool) -> bool {
        let bare: Vec<&ClauseToken> =
            gap.iter().skip_while(|token| token.is(&BE) || token.is(&HAVE) || token.is(&LIGHT)).collect();
        let Some(first) = bare.first() else {
            return matches!(self.kind, AnswerKind::Truth) || (self.kind == AnswerKind::Reason && because);
        };
        let has = |words: &[&str]| bare.iter().any(|token| token.is(words));
        let names_something = first.is(&DETERMINERS) || first.is_capital || first.is_number();
        match self.kind {
            AnswerKind::Person if self.before.is_empty() => is_subject(&bare),
            AnswerKind::Person => names_something && !first.is(&PRONOUNS[..7]),
            AnswerKind::Age => is_age(&bare),
            AnswerKind::Number => bare.len() <= 2 && bare.iter().all(|token| token.is_number()),
            AnswerKind::Place => {
                // `where from` has its preposition in the question.
                let is_asked_with = self.before.last().is_some_and(|last| PREPOSITIONS.contains(&last.as_str()));
                let is_there = is_asked_with || first.is(&PREPOSITIONS[..OF_PLACES]);
                let place = bare.get(usize::from(!is_asked_with));
                let named = place.is_some_and(|token| token.is(&DETERMINERS) || token.is_capital);
                let near: Vec<&&ClauseToken> = bare.iter().skip(1).take(4).collect();
                is_there
                    && named
                    && !near.iter().any(|token| {
                        token.is_number() || (!token.is_capital && (token.is(&TIMES) || token.is(&NO_PLACES)))
                    })
            }
            AnswerKind::Time => {
                let near = bare.iter().take(6);
                let is_dated = near.clone().any(|token| token.is_number() || token.is_capital);
                let has_unit = near.clone().any(|token| token.is(&TIMES) || (token.is_capital && token.word == "may"));
                let is_year = near.clone().any(|token| token.word.len() == 4 && token.is_number());
                first.is(&["in", "on", "at", "before", "after", "during", "since"])
                    && (is_year || (has_unit && (is_dated || bare.len() > 1)))
            }
            AnswerKind::Colour => has(&COLOURS),
            AnswerKind::Truth => closes(gap),
            AnswerKind::Reason => because && (first.word == "because" || closes(gap)),
            AnswerKind::Thing if self.before.is_empty() => self.has_noun(&bare) && is_subject(&bare),
            AnswerKind::Thing | AnswerKind::Name => {
                let is_alone = bare.len() == 1 && (first.is(&PRONOUNS) || first.is(&DETERMINERS));
                let follows = first.is(&PREPOSITIONS) || first.is(&JOINTS) || first.is(&["that", "it", "them", "him"]);
                !is_alone && !follows && self.has_noun(&bare) && !first.word.ends_with("ly")
            }
        }
    }

    fn has_noun(&self, gap: &[&ClauseToken]) -> bool {
        self.noun.as_ref().is_none_or(|noun| gap.iter().any(|token| token.base == *noun))
    }

    /// Returns whether the clause identifies the subject, on either side.
    fn is_identified(&self, clause: &[ClauseToken]) -> bool {
        let names = ["called", "named"];
        let is_told = found(clause, &self.before).into_iter().any(|(at, end)| {
            // A possession of the subject is another thing.
            let [verb, answer @ ..] = &clause[end..] else { return false };
            let is_verb = verb.is(&BE) && verb.word != "'s";
            let (is_called, answer) = match answer {
                [called, rest @ ..] if called.is(&names) => (true, rest),
                all => (false, all),
            };
            let Some(first) = answer.first() else { return false };
            let is_name = first.is_capital || (!is_called && first.is(&DETERMINERS));
            opens(&clause[..at])
                && is_verb
                && is_name
                && (self.kind != AnswerKind::Name || is_called)
                && !first.is(&PRONOUNS[..7])
        });
        let is_turned = self.kind == AnswerKind::Person && {
            let all: Vec<(usize, usize)> = found(clause, &self.before);
            all.into_iter().any(|(at, end)| {
                let before: Vec<&ClauseToken> = clause[..at].iter().filter(|token| !token.is(&ARTICLES)).collect();
                let Some((verb, subject)) = before.split_last() else { return false };
                end == clause.len() && verb.is(&BE) && is_subject(subject)
            })
        };
        is_told || is_turned
    }
}

/// Returns the clauses of a text as tokens.
fn clauses(text: &str) -> Vec<Vec<ClauseToken>> {
    let mut clauses = vec![Vec::new()];
    let mut word = String::new();
    let finish = |word: &mut String, clause: &mut Vec<ClauseToken>| {
        if !word.is_empty() {
            push(&std::mem::take(word), clause);
        }
    };
    let letters: Vec<char> = text.chars().collect();
    for (at, c) in letters.iter().enumerate() {
        let is_joint = matches!(c, '\'' | '’' | '-') && letters.get(at + 1).is_some_and(|next| next.is_alphanumeric());
        if c.is_alphanumeric() || (is_joint && !word.is_empty()) {
            word.push(if *c == '’' { '\'' } else { *c });
            continue;
        }
        let last = clauses.last_mut().expect("there is one clause at least");
        let is_title = *c == '.' && ["Mr", "Mrs", "Ms", "Dr", "St", "Prof", "Capt", "Rev"].contains(&word.as_str());
        finish(&mut word, last);
        if !c.is_whitespace() && !is_title && !last.is_empty() {
            clauses.push(Vec::new());
        }
    }
    finish(&mut word, clauses.last_mut().expect("there is one clause at least"));
    clauses.retain(|clause| !clause.is_empty());
    clauses
}

/// Appends a word; a suffix after an apostrophe becomes a separate word.
fn push(word: &str, clause: &mut Vec<ClauseToken>) {
    let lower = word.to_lowercase();
    let cut = lower
        .strip_suffix("n't")
        .map(str::len)
        .or_else(|| lower.rfind('\''))
        .filter(|at| *at > 0 && lower != "o'clock");
    let parts = match cut {
        Some(at) => vec![&lower[..at], &lower[at..]],
        None => vec![lower.as_str()],
    };
    for part in parts {
        let is_capital = word.starts_with(char::is_uppercase) && !part.starts_with('\'') && part != "n't";
        clause.push(ClauseToken { word: part.to_owned(), base: base_of(part), is_capital });
    }
}

/// Returns the base form of a word, common to all its inflections.
fn base_of(word: &str) -> String {
    let irregular = IRREGULAR.split('|').find_map(|pair| {
        let (form, base) = pair.trim().split_once(' ')?;
        (form == word).then(|| base.trim())
    });
    let word = irregular.unwrap_or(word);
    terms(word).into_iter().next().unwrap_or_else(|| word.to_owned())
}

fn bases(tokens: &[ClauseToken]) -> Vec<String> {
    tokens.iter().filter(|token| !token.is_light()).map(|token| token.base.clone()).collect()
}

/// Returns the ranges in a clause with the words in order. Gaps may contain light words, at most two others, and the
/// surname after a first name.
fn found(clause: &[ClauseToken], words: &[String]) -> Vec<(usize, usize)> {
    let begins = (0..clause.len()).filter(|at| clause[*at].base == words[0]);
    begins.filter_map(|begin| Some((begin, end_of(clause, begin, words)?))).collect()
}

fn end_of(clause: &[ClauseToken], begin: usize, words: &[String]) -> Option<usize> {
    const OTHERS: usize = 2;
    let (mut at, mut others) = (begin + 1, 0);
    for word in &words[1..] {
        loop {
            let token = clause.get(at)?;
            at += 1;
            if token.base == *word {
                break;
            }
            let is_surname = token.is_capital && clause[at - 2].is_capital;
            let is_quality =
                !token.is_capital && !token.is(&PRONOUNS) && !token.is(&JOINTS) && !token.is(&PREPOSITIONS);
            let may_stand = token.is_light() || token.is(&DETERMINERS) || is_surname;
            if !may_stand {
                others += 1;
                if !is_quality || token.word == "'s" || others > OTHERS {
                    return None;
                }
            }
        }
    }
    Some(at)
}

/// Returns whether a subject may follow in the same clause.
fn opens(before: &[ClauseToken]) -> bool {
    let is_opener =
        |token: &ClauseToken| token.is(&OPENERS) || token.is(&TIMES) || token.is(&ARTICLES) || token.is_number();
    before.len() <= 5 && before.iter().all(is_opener)
}

/// Returns whether a statement may end there.
fn closes(rest: &[ClauseToken]) -> bool {
    rest.first().is_none_or(|first| {
        first.word != "of"
            && (first.is(&PREPOSITIONS)
                || first.is(&JOINTS)
                || first.is(&LIGHT)
                || first.is(&["again", "there", "here", "today", "yesterday"]))
    })
}

/// Returns whether words can be the subject of an action.
fn is_subject(words: &[&ClauseToken]) -> bool {
    let words: Vec<&&ClauseToken> = words.iter().skip_while(|token| token.is(&JOINTS)).collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
    let is_plain =
        |token: &&&ClauseToken| !token.is(&PRONOUNS) && !token.is(&JOINTS) && !token.is(&PREPOSITIONS[..OF_PLACES]);
    let is_named = last.is_capital || first.is(&DETERMINERS);
    let is_ended = !last.is(&ARTICLES) && !last.is(&LIGHT) && !last.word.ends_with("ly");
    words.len() <= 5 && words.iter().all(is_plain) && is_named && is_ended
}

/// Returns whether the gap is exactly a number of years.
fn is_age(gap: &[&ClauseToken]) -> bool {
    let words: Vec<&&ClauseToken> =
        gap.iter().skip_while(|token| token.is(&["only", "about", "aged", "turned", "just"])).collect();
    let numbers = words.iter().take_while(|token| token.is_number()).count();
    let rest: Vec<&str> = words[numbers..].iter().map(|token| token.word.as_str()).collect();
    (1..=2).contains(&numbers) && matches!(rest.as_slice(), [] | ["years", "old"] | ["years", "of", "age"])
}
