//! The known shapes of questions: conditions on one thing that is sought, chains of relations, and how two are connected.

use std::sync::Arc;

use super::Reason;
use super::lexicon::{Meaning, Relation};
use super::tokens::{Token, of_role, of_trait};
use crate::graph::NodeKind;
use crate::pattern::{
    Direction, EdgePattern, Goal, Hops, Name, NodePattern, Operator, Path, Pattern, Query, Set, Test, When,
};

/// How far two may be apart to be called connected.
const CONNECTED: u8 = 6;

/// The pattern that the tokens mean.
pub(super) fn query(tokens: &[Token]) -> Result<Query, Reason> {
    let is = |meaning: Meaning| tokens.iter().any(|token| *token == Token::Word(meaning.clone()));
    if tokens.is_empty() {
        return Err(Reason::Empty);
    }
    if is(Meaning::Connected) {
        return connection(tokens);
    }
    if is(Meaning::Around) {
        return neighbourhood(tokens);
    }
    let mut reader = Reader { tokens, at: 0, names: Vec::new(), kind: None, tests: Vec::new(), found: Vec::new() };
    reader.clauses()?;
    reader.query()
}

/// "How are y and z connected?"
fn connection(tokens: &[Token]) -> Result<Query, Reason> {
    let nodes: Vec<NodePattern> = tokens.iter().filter_map(node).collect();
    let fits = |token: &Token| {
        let small = [Meaning::And, Meaning::Possessive, Meaning::Connected, Meaning::Of];
        let is_verb = matches!(token, Token::Word(Meaning::Verb(relation) | Meaning::VerbOrMutual(relation))
            if relation.all == [["tied_to"]]);
        node(token).is_some() || is_verb || small.iter().any(|word| *token == Token::Word(word.clone()))
    };
    match nodes.as_slice() {
        [one, other] if one != other && tokens.iter().all(fits) => {
            let hops = Hops { least: 1, most: CONNECTED };
            let edge = EdgePattern { hops, ..EdgePattern::default() };
            let path = Path { start: called("a", one), steps: vec![(edge, called("b", other))] };
            Ok(Query { goal: Goal::Shortest, ..Query::of(Pattern { paths: vec![path] }) })
        }
        _ => Err(Reason::Shape),
    }
}

/// "Who is around y?"
fn neighbourhood(tokens: &[Token]) -> Result<Query, Reason> {
    let small = [Meaning::Around, Meaning::Possessive, Meaning::And, Meaning::Of, Meaning::Kind(NodeKind::Character)];
    let fits = |token: &Token| node(token).is_some() || small.iter().any(|word| *token == Token::Word(word.clone()));
    let nodes: Vec<NodePattern> = tokens.iter().filter_map(node).collect();
    match nodes.as_slice() {
        [one] if tokens.iter().all(fits) => {
            let edge = EdgePattern { words: vec!["tied_to".to_owned()], ..EdgePattern::default() };
            let near = NodePattern { kinds: vec![NodeKind::Character], ..NodePattern::default() };
            let path = Path { start: called("a", one), steps: vec![(edge, called("x", &near))] };
            Ok(Query { goal: Goal::Within(1), ..Query::of(Pattern { paths: vec![path] }) })
        }
        _ => Err(Reason::Shape),
    }
}

/// A condition on what is sought, and how it follows the one before it.
struct Condition {
    paths: Vec<Path>,
    is_denied: bool,
    is_alternative: bool,
    /// Whether it says something of named pieces only.
    is_closed: bool,
}

struct Reader<'t> {
    tokens: &'t [Token],
    at: usize,
    /// The nodes that have variables.
    names: Vec<(NodePattern, Name)>,
    /// What is sought.
    kind: Option<NodeKind>,
    tests: Vec<Test>,
    found: Vec<Condition>,
}

/// The other end of a relation: a node, and the path from it to the piece that is named.
#[derive(Clone)]
struct Other {
    path: Path,
}

impl Reader<'_> {
    fn clauses(&mut self) -> Result<(), Reason> {
        loop {
            let (is_alternative, is_denied) = self.joints();
            let before = self.found.len();
            match self.tokens.get(self.at) {
                None if is_denied || is_alternative => return Err(Reason::Shape),
                None => return Ok(()),
                Some(Token::Trait { property, quality }) if !is_denied && !is_alternative => {
                    self.tests.push(of_trait(property, quality));
                    self.at += 1;
                }
                Some(Token::Word(Meaning::Kind(kind))) if !is_denied => {
                    self.sought(*kind)?;
                    self.at += 1;
                    if is_alternative {
                        return Err(Reason::Shape);
                    }
                }
                Some(Token::Word(Meaning::Verb(relation) | Meaning::VerbOrMutual(relation))) => {
                    self.at += 1;
                    self.others(std::slice::from_ref(relation), is_denied)?;
                }
                Some(Token::Word(Meaning::Noun(_))) => {
                    let relations = self.nouns();
                    self.takes(&Meaning::Of);
                    self.others(&relations, is_denied)?;
                }
                // `去过旧港的反派`: the role of what is sought.
                Some(Token::Word(Meaning::Role(role))) if !is_denied && !is_alternative && self.ends_with_role() => {
                    self.sought(NodeKind::Character)?;
                    self.tests.extend(of_role(role).tests);
                    self.at += 1;
                }
                Some(token) if node(token).is_some() => self.node_first(is_denied)?,
                Some(_) => return Err(Reason::Shape),
            }
            if let Some(first) = self.found.get_mut(before) {
                first.is_alternative |= is_alternative;
            }
        }
    }

    /// Whether the token is the last one, after conditions.
    fn ends_with_role(&self) -> bool {
        let follows = matches!(
            self.at.checked_sub(1).map(|at| &self.tokens[at]),
            Some(Token::Word(Meaning::Possessive) | Token::Trait { .. })
        );
        follows && self.at + 1 == self.tokens.len() && !(self.found.is_empty() && self.tests.is_empty())
    }

    /// Words that join conditions: whether the next one is an alternative, whether it is denied.
    fn joints(&mut self) -> (bool, bool) {
        let (mut is_alternative, mut is_denied) = (false, false);
        while let Some(Token::Word(word)) = self.tokens.get(self.at) {
            match word {
                Meaning::Or => is_alternative = true,
                Meaning::Not => is_denied = true,
                Meaning::And | Meaning::Possessive => {}
                // `the most cautious of those who …`
                Meaning::Of if self.at == 0 => {}
                _ => break,
            }
            self.at += 1;
        }
        (is_alternative, is_denied)
    }

    /// "y's friends", "y's friends' enemies", "on good terms with y", "y knows …", "y has been to …".
    fn node_first(&mut self, mut is_denied: bool) -> Result<(), Reason> {
        let mut nodes = vec![self.node()?];
        while self.is_next(&Meaning::And) && self.tokens.get(self.at + 1).is_some_and(|token| node(token).is_some()) {
            self.at += 1;
            nodes.push(self.node()?);
        }
        if self.takes(&Meaning::Not) {
            is_denied = true;
        }
        let is_chain = self.is_next(&Meaning::Possessive) && matches!(self.word(1), Some(Meaning::Noun(_)));
        if is_chain {
            let [one] = nodes.as_slice() else { return Err(Reason::Shape) };
            let other = self.chain(one.clone())?;
            return match self.word(0) {
                Some(Meaning::Verb(relation) | Meaning::VerbOrMutual(relation)) => {
                    self.at += 1;
                    self.subject(&relation, &[other], is_denied)
                }
                _ => self.chained(&other, is_denied),
            };
        }
        let all: Vec<Other> =
            nodes.into_iter().map(|one| Other { path: Path { start: one, steps: Vec::new() } }).collect();
        let Some(word) = self.word(0) else { return Err(Reason::Shape) };
        self.at += 1;
        match word {
            Meaning::Noun(relation) | Meaning::Mutual(relation) | Meaning::VerbOrMutual(relation)
                if self.node_ahead().is_none() =>
            {
                let relations = [relation];
                all.iter().try_for_each(|other| self.add(&relations, other, Direction::Right, is_denied))
            }
            Meaning::Verb(relation) | Meaning::VerbOrMutual(relation) => self.subject(&relation, &all, is_denied),
            _ => Err(Reason::Shape),
        }
    }

    /// "y knows x", "the places that y has been to", or, with another piece after the verb, whether y knows z.
    fn subject(&mut self, relation: &Arc<Relation>, subjects: &[Other], is_denied: bool) -> Result<(), Reason> {
        if self.node_ahead().is_some() {
            let object = self.node()?;
            let [subject] = subjects else { return Err(Reason::Shape) };
            let is_only = self.at == self.tokens.len() && self.found.is_empty() && !is_denied;
            if !is_only || self.kind.is_some() || !subject.path.steps.is_empty() {
                return Err(Reason::Shape);
            }
            let start = subject.path.start.clone();
            let paths = relation.all.iter();
            let paths = paths.map(|words| Path {
                start: start.clone(),
                steps: vec![(edge(words, Direction::Right), object.clone())],
            });
            let paths = paths.collect();
            self.found.push(Condition { paths, is_denied, is_alternative: false, is_closed: true });
            return Ok(());
        }
        if let Some(kind) = relation.kind {
            self.sought(kind)?;
        }
        subjects
            .iter()
            .try_for_each(|other| self.add(std::slice::from_ref(relation), other, Direction::Left, is_denied))
    }

    /// What is sought is at the end of a chain: "y's friends' enemies".
    fn chained(&mut self, other: &Other, is_denied: bool) -> Result<(), Reason> {
        let path = Path { start: sought(), steps: other.path.steps.clone() };
        self.found.push(Condition { paths: vec![path], is_denied, is_alternative: false, is_closed: false });
        Ok(())
    }

    /// The other ends after a verb or after "friends of": each is meant, or with `or` one of them.
    fn others(&mut self, relations: &[Arc<Relation>], is_denied: bool) -> Result<(), Reason> {
        let first = self.other()?;
        let is_bare = first.path.steps.is_empty();
        self.add(relations, &first, Direction::Right, is_denied)?;
        loop {
            let is_or = self.is_next(&Meaning::Or);
            if !(is_or || self.is_next(&Meaning::And))
                || self.tokens.get(self.at + 1).is_none_or(|token| node(token).is_none())
            {
                return Ok(());
            }
            // `认识林青，和苏婉是朋友`: what follows belongs to the next condition.
            let after = self.tokens.get(self.at + 2);
            if matches!(after, Some(Token::Word(Meaning::Mutual(_) | Meaning::Noun(_) | Meaning::Verb(_)))) {
                return Ok(());
            }
            self.at += 1;
            let next = self.other()?;
            if !is_bare || !next.path.steps.is_empty() {
                return Err(Reason::Shape);
            }
            self.add(relations, &next, Direction::Right, is_denied)?;
            if let Some(last) = self.found.last_mut() {
                last.is_alternative = is_or;
            }
        }
    }

    /// A piece, "y's friend", or "the friends of y".
    fn other(&mut self) -> Result<Other, Reason> {
        if let Some(Meaning::Noun(relation)) = self.word(0) {
            self.at += 1;
            if !self.takes(&Meaning::Of) {
                return Err(Reason::Shape);
            }
            let inner = self.other()?;
            return link(&relation, inner);
        }
        let one = self.node()?;
        if self.is_next(&Meaning::Possessive) && matches!(self.word(1), Some(Meaning::Noun(_))) {
            return self.chain(one);
        }
        Ok(Other { path: Path { start: one, steps: Vec::new() } })
    }

    /// The nouns after a piece, each with its `的` or `'s`.
    fn chain(&mut self, one: NodePattern) -> Result<Other, Reason> {
        let mut other = Other { path: Path { start: one, steps: Vec::new() } };
        while let (true, Some(Meaning::Noun(relation))) = (self.is_next(&Meaning::Possessive), self.word(1)) {
            self.at += 2;
            other = link(&relation, other)?;
        }
        Ok(other)
    }

    /// "both friend and enemy"
    fn nouns(&mut self) -> Vec<Arc<Relation>> {
        let mut nouns = Vec::new();
        while let Some(Meaning::Noun(relation)) = self.word(0) {
            nouns.push(relation);
            self.at += 1;
            if self.is_next(&Meaning::And) && matches!(self.word(1), Some(Meaning::Noun(_))) {
                self.at += 1;
            }
        }
        nouns
    }

    fn add(
        &mut self,
        relations: &[Arc<Relation>],
        other: &Other,
        direction: Direction,
        is_denied: bool,
    ) -> Result<(), Reason> {
        let mut start = other.path.start.clone();
        let all: Vec<&Vec<String>> = relations.iter().flat_map(|relation| &relation.all).collect();
        if all.len() > 1 && start.variable.is_none() {
            start = self.named(&start);
        }
        let mut paths = Vec::new();
        for words in all {
            let mut steps = vec![(edge(words, direction), start.clone())];
            steps.extend(if paths.is_empty() { other.path.steps.clone() } else { Vec::new() });
            paths.push(Path { start: sought(), steps });
        }
        self.found.push(Condition { paths, is_denied, is_alternative: false, is_closed: false });
        Ok(())
    }

    /// The node that comes next, with a variable; the same piece has the same one each time.
    fn node(&mut self) -> Result<NodePattern, Reason> {
        let found = self.tokens.get(self.at).and_then(node).ok_or(Reason::Shape)?;
        self.at += 1;
        Ok(self.named(&found))
    }

    fn named(&mut self, pattern: &NodePattern) -> NodePattern {
        let is_piece = pattern.name.is_some() || !pattern.tests.is_empty();
        if let Some((_, name)) = self.names.iter().find(|(known, _)| is_piece && known == pattern) {
            return NodePattern { variable: Some(name.clone()), ..pattern.clone() };
        }
        let letters = "abcdefghijklmnopqrstuvw".chars();
        let letter =
            letters.map(String::from).nth(self.names.len()).unwrap_or_else(|| format!("n{}", self.names.len()));
        let name = Name::new(&letter).expect("a letter is a name");
        self.names.push((pattern.clone(), name.clone()));
        NodePattern { variable: Some(name), ..pattern.clone() }
    }

    fn node_ahead(&self) -> Option<NodePattern> {
        self.tokens.get(self.at).and_then(node)
    }

    fn word(&self, ahead: usize) -> Option<Meaning> {
        match self.tokens.get(self.at + ahead) {
            Some(Token::Word(word)) => Some(word.clone()),
            _ => None,
        }
    }

    fn is_next(&self, word: &Meaning) -> bool {
        matches!(self.tokens.get(self.at), Some(Token::Word(next)) if next == word)
    }

    fn takes(&mut self, word: &Meaning) -> bool {
        let is_next = self.is_next(word);
        self.at += usize::from(is_next);
        is_next
    }

    fn sought(&mut self, kind: NodeKind) -> Result<(), Reason> {
        match self.kind {
            Some(known) if known != kind => Err(Reason::Shape),
            _ => {
                self.kind = Some(kind);
                Ok(())
            }
        }
    }

    fn query(self) -> Result<Query, Reason> {
        let start = NodePattern {
            kinds: vec![self.kind.unwrap_or(NodeKind::Character)],
            tests: self.tests.clone(),
            ..sought()
        };
        let is_closed = self.found.iter().any(|condition| condition.is_closed);
        if is_closed && (self.found.len() > 1 || !self.tests.is_empty()) {
            return Err(Reason::Shape);
        }
        if self.found.is_empty() && self.tests.is_empty() {
            return Err(Reason::Empty);
        }
        let returns = if is_closed { Vec::new() } else { vec![variable("x")] };
        let set = sets(self.found, &start)?;
        Ok(Query { goal: Goal::Match, set, when: When::Ever, returns, limit: None })
    }
}

/// All conditions together, without those that are denied; or the alternatives.
fn sets(found: Vec<Condition>, start: &NodePattern) -> Result<Set, Reason> {
    let alternatives = found.iter().skip(1).filter(|condition| condition.is_alternative).count();
    if alternatives > 0 {
        let is_mixed = alternatives + 1 < found.len() || found.iter().any(|condition| condition.is_denied);
        if is_mixed {
            return Err(Reason::AndOr);
        }
        let mut sides = found.into_iter().map(|condition| Set::Pattern(pattern(condition.paths, start)));
        let first = sides.next().ok_or(Reason::Empty)?;
        return Ok(sides.fold(first, |left, right| join(Operator::Or, left, right)));
    }
    let (denied, said): (Vec<Condition>, Vec<Condition>) = found.into_iter().partition(|condition| condition.is_denied);
    let paths: Vec<Path> = said.into_iter().flat_map(|condition| condition.paths).collect();
    let all = Set::Pattern(pattern(paths, start));
    Ok(denied
        .into_iter()
        .fold(all, |left, condition| join(Operator::Except, left, Set::Pattern(pattern(condition.paths, &sought())))))
}

fn join(how: Operator, left: Set, right: Set) -> Set {
    Set::Join { how, left: Box::new(left), right: Box::new(right) }
}

/// The paths as one pattern: what is said of a variable stands at its first place only.
fn pattern(mut paths: Vec<Path>, start: &NodePattern) -> Pattern {
    if paths.is_empty() {
        paths.push(Path { start: start.clone(), steps: Vec::new() });
    }
    let mut seen: Vec<Name> = Vec::new();
    for path in &mut paths {
        let Path { start: first, steps } = path;
        if first.variable == start.variable {
            first.clone_from(start);
        }
        for node in [first].into_iter().chain(steps.iter_mut().map(|(_, node)| node)) {
            let Some(name) = node.variable.clone() else { continue };
            if seen.contains(&name) {
                *node = NodePattern { variable: Some(name), ..NodePattern::default() };
            } else {
                seen.push(name);
            }
        }
    }
    Pattern { paths }
}

/// Somebody who is in that relation to the other.
fn link(relation: &Relation, other: Other) -> Result<Other, Reason> {
    let [words] = relation.all.as_slice() else { return Err(Reason::Shape) };
    let somebody = NodePattern { kinds: vec![NodeKind::Character], ..NodePattern::default() };
    let Path { start, steps } = other.path;
    let steps = [vec![(edge(words, Direction::Right), start)], steps].concat();
    Ok(Other { path: Path { start: somebody, steps } })
}

fn edge(words: &[String], direction: Direction) -> EdgePattern {
    // Who knows somebody is known by them.
    let direction = if words == ["tied_to"] { Direction::Either } else { direction };
    EdgePattern { words: words.to_vec(), direction, ..EdgePattern::default() }
}

fn sought() -> NodePattern {
    NodePattern { variable: Some(variable("x")), ..NodePattern::default() }
}

fn variable(letter: &str) -> Name {
    Name::new(letter).expect("a letter is a name")
}

fn called(name: &str, node: &NodePattern) -> NodePattern {
    NodePattern { variable: Some(variable(name)), ..node.clone() }
}

/// The piece, or somebody of a role, that a token names.
fn node(token: &Token) -> Option<NodePattern> {
    match token {
        Token::Node(node) => Some(node.clone()),
        Token::Word(Meaning::Role(role)) => Some(of_role(role)),
        _ => None,
    }
}
