//! The known shapes of questions: conditions on one unknown, chains of relations, and connections between two pieces.

use std::sync::Arc;

use super::lexicon::{Relation, WordMeaning};
use super::parsed::RejectionReason;
use super::pieces::{called, edge, node, sought, variable};
use super::tokens::{QuestionToken, of_role, of_trait};
use crate::graph::NodeKind;
use crate::pattern::{
    EdgeDirection, EdgePattern, Goal, GraphPattern, Hops, Name, NodePattern, Operator, Path, PropertyTest, Query, Set,
    When,
};

/// The maximum distance of connected pieces.
const CONNECTED: u8 = 6;

/// Parses the tokens into a query.
pub(super) fn query(tokens: &[QuestionToken]) -> Result<Query, RejectionReason> {
    let is = |meaning: WordMeaning| tokens.iter().any(|token| *token == QuestionToken::Word(meaning.clone()));
    if tokens.is_empty() {
        return Err(RejectionReason::Empty);
    }
    if is(WordMeaning::Connected) {
        return connection(tokens);
    }
    if is(WordMeaning::Around) {
        return neighbourhood(tokens);
    }
    let mut reader = ShapeReader { tokens, at: 0, names: Vec::new(), kind: None, tests: Vec::new(), found: Vec::new() };
    reader.clauses()?;
    reader.query()
}

/// Parses "How are y and z connected?"
fn connection(tokens: &[QuestionToken]) -> Result<Query, RejectionReason> {
    let nodes: Vec<NodePattern> = tokens.iter().filter_map(node).collect();
    let fits = |token: &QuestionToken| {
        let small = [WordMeaning::And, WordMeaning::Possessive, WordMeaning::Connected, WordMeaning::Of];
        let is_verb = matches!(token, QuestionToken::Word(WordMeaning::Verb(relation) | WordMeaning::VerbOrMutual(relation))
            if relation.all == [["tied_to"]]);
        node(token).is_some() || is_verb || small.iter().any(|word| *token == QuestionToken::Word(word.clone()))
    };
    match nodes.as_slice() {
        [one, other] if one != other && tokens.iter().all(fits) => {
            let hops = Hops { least: 1, most: CONNECTED };
            let edge = EdgePattern { hops, ..EdgePattern::default() };
            let path = Path { start: called("a", one), steps: vec![(edge, called("b", other))] };
            Ok(Query { goal: Goal::Shortest, ..Query::of(GraphPattern { paths: vec![path] }) })
        }
        _ => Err(RejectionReason::Shape),
    }
}

/// Parses "Who is around y?"
fn neighbourhood(tokens: &[QuestionToken]) -> Result<Query, RejectionReason> {
    let small = [
        WordMeaning::Around,
        WordMeaning::Possessive,
        WordMeaning::And,
        WordMeaning::Of,
        WordMeaning::Kind(NodeKind::Character),
    ];
    let fits = |token: &QuestionToken| {
        node(token).is_some() || small.iter().any(|word| *token == QuestionToken::Word(word.clone()))
    };
    let nodes: Vec<NodePattern> = tokens.iter().filter_map(node).collect();
    match nodes.as_slice() {
        [one] if tokens.iter().all(fits) => {
            let edge = EdgePattern { words: vec!["tied_to".to_owned()], ..EdgePattern::default() };
            let near = NodePattern { kinds: vec![NodeKind::Character], ..NodePattern::default() };
            let path = Path { start: called("a", one), steps: vec![(edge, called("x", &near))] };
            Ok(Query { goal: Goal::Within(1), ..Query::of(GraphPattern { paths: vec![path] }) })
        }
        _ => Err(RejectionReason::Shape),
    }
}

/// A condition on the unknown, and the operator before.
struct QuestionCondition {
    paths: Vec<Path>,
    is_denied: bool,
    is_alternative: bool,
    /// Whether the condition is only about named pieces.
    is_closed: bool,
}

struct ShapeReader<'t> {
    tokens: &'t [QuestionToken],
    at: usize,
    /// The nodes with variables.
    names: Vec<(NodePattern, Name)>,
    /// The kind of the unknown.
    kind: Option<NodeKind>,
    tests: Vec<PropertyTest>,
    found: Vec<QuestionCondition>,
}

/// The other end of a relation: a node, and the path from the node to the named piece.
#[derive(Clone)]
struct RelationEnd {
    path: Path,
}

impl ShapeReader<'_> {
    fn clauses(&mut self) -> Result<(), RejectionReason> {
        loop {
            let (is_alternative, is_denied) = self.joints();
            let before = self.found.len();
            match self.tokens.get(self.at) {
                None if is_denied || is_alternative => return Err(RejectionReason::Shape),
                None => return Ok(()),
                Some(QuestionToken::Trait { property, quality }) if !is_denied && !is_alternative => {
                    self.tests.push(of_trait(property, quality));
                    self.at += 1;
                }
                Some(QuestionToken::Word(WordMeaning::Kind(kind))) if !is_denied => {
                    self.sought(*kind)?;
                    self.at += 1;
                    if is_alternative {
                        return Err(RejectionReason::Shape);
                    }
                }
                Some(QuestionToken::Word(WordMeaning::Verb(relation) | WordMeaning::VerbOrMutual(relation))) => {
                    self.at += 1;
                    self.others(std::slice::from_ref(relation), is_denied)?;
                }
                Some(QuestionToken::Word(WordMeaning::Noun(_))) => {
                    let relations = self.nouns();
                    self.takes(&WordMeaning::Of);
                    self.others(&relations, is_denied)?;
                }
                // `去过旧港的反派`: the role of the unknown.
                Some(QuestionToken::Word(WordMeaning::Role(role)))
                    if !is_denied && !is_alternative && self.ends_with_role() =>
                {
                    self.sought(NodeKind::Character)?;
                    self.tests.extend(of_role(role).tests);
                    self.at += 1;
                }
                Some(token) if node(token).is_some() => self.node_first(is_denied)?,
                Some(_) => return Err(RejectionReason::Shape),
            }
            if let Some(first) = self.found.get_mut(before) {
                first.is_alternative |= is_alternative;
            }
        }
    }

    /// Returns whether the token is the last, after conditions.
    fn ends_with_role(&self) -> bool {
        let follows = matches!(
            self.at.checked_sub(1).map(|at| &self.tokens[at]),
            Some(QuestionToken::Word(WordMeaning::Possessive) | QuestionToken::Trait { .. })
        );
        follows && self.at + 1 == self.tokens.len() && !(self.found.is_empty() && self.tests.is_empty())
    }

    /// Parses words between conditions; returns whether the next condition is an alternative, and whether negated.
    fn joints(&mut self) -> (bool, bool) {
        let (mut is_alternative, mut is_denied) = (false, false);
        while let Some(QuestionToken::Word(word)) = self.tokens.get(self.at) {
            match word {
                WordMeaning::Or => is_alternative = true,
                WordMeaning::Not => is_denied = true,
                WordMeaning::And | WordMeaning::Possessive => {}
                // `the most cautious of those who …`
                WordMeaning::Of if self.at == 0 => {}
                _ => break,
            }
            self.at += 1;
        }
        (is_alternative, is_denied)
    }

    /// Parses "y's friends", "y's friends' enemies", "on good terms with y", "y knows …", "y has been to …".
    fn node_first(&mut self, mut is_denied: bool) -> Result<(), RejectionReason> {
        let mut nodes = vec![self.node()?];
        while self.is_next(&WordMeaning::And) && self.tokens.get(self.at + 1).is_some_and(|token| node(token).is_some())
        {
            self.at += 1;
            nodes.push(self.node()?);
        }
        if self.takes(&WordMeaning::Not) {
            is_denied = true;
        }
        let is_chain = self.is_next(&WordMeaning::Possessive) && matches!(self.word(1), Some(WordMeaning::Noun(_)));
        if is_chain {
            let [one] = nodes.as_slice() else { return Err(RejectionReason::Shape) };
            let other = self.chain(one.clone())?;
            return match self.word(0) {
                Some(WordMeaning::Verb(relation) | WordMeaning::VerbOrMutual(relation)) => {
                    self.at += 1;
                    self.subject(&relation, &[other], is_denied)
                }
                _ => self.chained(&other, is_denied),
            };
        }
        let all: Vec<RelationEnd> =
            nodes.into_iter().map(|one| RelationEnd { path: Path { start: one, steps: Vec::new() } }).collect();
        let Some(word) = self.word(0) else { return Err(RejectionReason::Shape) };
        self.at += 1;
        match word {
            WordMeaning::Noun(relation) | WordMeaning::Mutual(relation) | WordMeaning::VerbOrMutual(relation)
                if self.node_ahead().is_none() =>
            {
                let relations = [relation];
                all.iter().try_for_each(|other| self.add(&relations, other, EdgeDirection::Right, is_denied))
            }
            WordMeaning::Verb(relation) | WordMeaning::VerbOrMutual(relation) => {
                self.subject(&relation, &all, is_denied)
            }
            _ => Err(RejectionReason::Shape),
        }
    }

    /// Parses "y knows x", "the places that y has been to", or, with another piece after the verb, whether y knows z.
    fn subject(
        &mut self,
        relation: &Arc<Relation>,
        subjects: &[RelationEnd],
        is_denied: bool,
    ) -> Result<(), RejectionReason> {
        if self.node_ahead().is_some() {
            let object = self.node()?;
            let [subject] = subjects else { return Err(RejectionReason::Shape) };
            let is_only = self.at == self.tokens.len() && self.found.is_empty() && !is_denied;
            if !is_only || self.kind.is_some() || !subject.path.steps.is_empty() {
                return Err(RejectionReason::Shape);
            }
            let start = subject.path.start.clone();
            let paths = relation.all.iter();
            let paths = paths.map(|words| Path {
                start: start.clone(),
                steps: vec![(edge(words, EdgeDirection::Right), object.clone())],
            });
            let paths = paths.collect();
            self.found.push(QuestionCondition { paths, is_denied, is_alternative: false, is_closed: true });
            return Ok(());
        }
        if let Some(kind) = relation.kind {
            self.sought(kind)?;
        }
        subjects
            .iter()
            .try_for_each(|other| self.add(std::slice::from_ref(relation), other, EdgeDirection::Left, is_denied))
    }

    /// Adds the unknown at the end of a chain: "y's friends' enemies".
    fn chained(&mut self, other: &RelationEnd, is_denied: bool) -> Result<(), RejectionReason> {
        let path = Path { start: sought(), steps: other.path.steps.clone() };
        self.found.push(QuestionCondition { paths: vec![path], is_denied, is_alternative: false, is_closed: false });
        Ok(())
    }

    /// Parses the other ends after a verb or after "friends of": all of them, or with `or` any.
    fn others(&mut self, relations: &[Arc<Relation>], is_denied: bool) -> Result<(), RejectionReason> {
        let first = self.other()?;
        let is_bare = first.path.steps.is_empty();
        self.add(relations, &first, EdgeDirection::Right, is_denied)?;
        loop {
            let is_or = self.is_next(&WordMeaning::Or);
            if !(is_or || self.is_next(&WordMeaning::And))
                || self.tokens.get(self.at + 1).is_none_or(|token| node(token).is_none())
            {
                return Ok(());
            }
            // `认识林青，和苏婉是朋友`: the rest belongs to the next condition.
            let after = self.tokens.get(self.at + 2);
            if matches!(
                after,
                Some(QuestionToken::Word(WordMeaning::Mutual(_) | WordMeaning::Noun(_) | WordMeaning::Verb(_)))
            ) {
                return Ok(());
            }
            self.at += 1;
            let next = self.other()?;
            if !is_bare || !next.path.steps.is_empty() {
                return Err(RejectionReason::Shape);
            }
            self.add(relations, &next, EdgeDirection::Right, is_denied)?;
            if let Some(last) = self.found.last_mut() {
                last.is_alternative = is_or;
            }
        }
    }

    /// Parses a piece, "y's friend", or "the friends of y".
    fn other(&mut self) -> Result<RelationEnd, RejectionReason> {
        if let Some(WordMeaning::Noun(relation)) = self.word(0) {
            self.at += 1;
            if !self.takes(&WordMeaning::Of) {
                return Err(RejectionReason::Shape);
            }
            let inner = self.other()?;
            return link(&relation, inner);
        }
        let one = self.node()?;
        if self.is_next(&WordMeaning::Possessive) && matches!(self.word(1), Some(WordMeaning::Noun(_))) {
            return self.chain(one);
        }
        Ok(RelationEnd { path: Path { start: one, steps: Vec::new() } })
    }

    /// Parses the nouns after a piece, each with `的` or `'s`.
    fn chain(&mut self, one: NodePattern) -> Result<RelationEnd, RejectionReason> {
        let mut other = RelationEnd { path: Path { start: one, steps: Vec::new() } };
        while let (true, Some(WordMeaning::Noun(relation))) = (self.is_next(&WordMeaning::Possessive), self.word(1)) {
            self.at += 2;
            other = link(&relation, other)?;
        }
        Ok(other)
    }

    /// Parses "both friend and enemy".
    fn nouns(&mut self) -> Vec<Arc<Relation>> {
        let mut nouns = Vec::new();
        while let Some(WordMeaning::Noun(relation)) = self.word(0) {
            nouns.push(relation);
            self.at += 1;
            if self.is_next(&WordMeaning::And) && matches!(self.word(1), Some(WordMeaning::Noun(_))) {
                self.at += 1;
            }
        }
        nouns
    }

    fn add(
        &mut self,
        relations: &[Arc<Relation>],
        other: &RelationEnd,
        direction: EdgeDirection,
        is_denied: bool,
    ) -> Result<(), RejectionReason> {
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
        self.found.push(QuestionCondition { paths, is_denied, is_alternative: false, is_closed: false });
        Ok(())
    }

    /// Parses the next node, with a variable; the same piece returns the same variable.
    fn node(&mut self) -> Result<NodePattern, RejectionReason> {
        let found = self.tokens.get(self.at).and_then(node).ok_or(RejectionReason::Shape)?;
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

    fn word(&self, ahead: usize) -> Option<WordMeaning> {
        match self.tokens.get(self.at + ahead) {
            Some(QuestionToken::Word(word)) => Some(word.clone()),
            _ => None,
        }
    }

    fn is_next(&self, word: &WordMeaning) -> bool {
        matches!(self.tokens.get(self.at), Some(QuestionToken::Word(next)) if next == word)
    }

    fn takes(&mut self, word: &WordMeaning) -> bool {
        let is_next = self.is_next(word);
        self.at += usize::from(is_next);
        is_next
    }

    fn sought(&mut self, kind: NodeKind) -> Result<(), RejectionReason> {
        match self.kind {
            Some(known) if known != kind => Err(RejectionReason::Shape),
            _ => {
                self.kind = Some(kind);
                Ok(())
            }
        }
    }

    fn query(self) -> Result<Query, RejectionReason> {
        let start = NodePattern {
            kinds: vec![self.kind.unwrap_or(NodeKind::Character)],
            tests: self.tests.clone(),
            ..sought()
        };
        let is_closed = self.found.iter().any(|condition| condition.is_closed);
        if is_closed && (self.found.len() > 1 || !self.tests.is_empty()) {
            return Err(RejectionReason::Shape);
        }
        if self.found.is_empty() && self.tests.is_empty() {
            return Err(RejectionReason::Empty);
        }
        let returns = if is_closed { Vec::new() } else { vec![variable("x")] };
        let set = sets(self.found, &start)?;
        Ok(Query { goal: Goal::Match, set, when: When::Ever, returns, limit: None })
    }
}

/// Joins all conditions, minus the negated conditions; or the alternatives.
fn sets(found: Vec<QuestionCondition>, start: &NodePattern) -> Result<Set, RejectionReason> {
    let alternatives = found.iter().skip(1).filter(|condition| condition.is_alternative).count();
    if alternatives > 0 {
        let is_mixed = alternatives + 1 < found.len() || found.iter().any(|condition| condition.is_denied);
        if is_mixed {
            return Err(RejectionReason::AndOr);
        }
        let mut sides = found.into_iter().map(|condition| Set::Pattern(pattern(condition.paths, start)));
        let first = sides.next().ok_or(RejectionReason::Empty)?;
        return Ok(sides.fold(first, |left, right| join(Operator::Or, left, right)));
    }
    let (denied, said): (Vec<QuestionCondition>, Vec<QuestionCondition>) =
        found.into_iter().partition(|condition| condition.is_denied);
    let paths: Vec<Path> = said.into_iter().flat_map(|condition| condition.paths).collect();
    let all = Set::Pattern(pattern(paths, start));
    Ok(denied
        .into_iter()
        .fold(all, |left, condition| join(Operator::Except, left, Set::Pattern(pattern(condition.paths, &sought())))))
}

fn join(how: Operator, left: Set, right: Set) -> Set {
    Set::Join { how, left: Box::new(left), right: Box::new(right) }
}

/// Returns the paths as one pattern: a variable's criteria are kept at the first occurrence only.
fn pattern(mut paths: Vec<Path>, start: &NodePattern) -> GraphPattern {
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
    GraphPattern { paths }
}

/// Returns a node with the given relation to the other.
fn link(relation: &Relation, other: RelationEnd) -> Result<RelationEnd, RejectionReason> {
    let [words] = relation.all.as_slice() else { return Err(RejectionReason::Shape) };
    let somebody = NodePattern { kinds: vec![NodeKind::Character], ..NodePattern::default() };
    let Path { start, steps } = other.path;
    let steps = [vec![(edge(words, EdgeDirection::Right), start)], steps].concat();
    Ok(RelationEnd { path: Path { start: somebody, steps } })
}
