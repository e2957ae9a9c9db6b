//! Writes a source that has all its changes in it, each behind a switch.

use std::ops::Range;

use crate::place::{Kind, Place};

/// A place, and which of its changes is which mutant; those that do not compile are none.
#[derive(Clone, Debug)]
pub(crate) struct Switched {
    pub place: Place,
    pub mutants: Vec<Option<u32>>,
}

/// A source with its changes, and where they are in it.
#[derive(Debug, Default)]
pub(crate) struct Woven {
    pub text: String,
    /// What each mutant puts there instead.
    changes: Vec<(u32, Range<usize>)>,
    /// All that stands in place of a place, with its mutants.
    places: Vec<(Vec<u32>, Range<usize>)>,
}

/// The source with the places' changes. The places are in the order of [`crate::place::places`].
pub(crate) fn weave(source: &str, places: &[Switched]) -> Woven {
    let mut woven = Woven::default();
    let mut rest = places;
    woven.stretch(source, 0..source.len(), &mut rest);
    woven
}

impl Woven {
    /// Which mutants the compiler speaks of at these bytes: the one whose change it is; else those of the innermost place around
    /// it; else all that lie within.
    pub(crate) fn blamed(&self, bytes: &Range<usize>) -> Vec<u32> {
        let around = |range: &Range<usize>| range.start <= bytes.start && bytes.start < range.end.max(range.start + 1);
        if let Some((mutant, _)) =
            self.changes.iter().filter(|(_, range)| around(range)).min_by_key(|(_, range)| range.len())
        {
            return vec![*mutant];
        }
        let innermost = self
            .places
            .iter()
            .filter(|(mutants, range)| around(range) && !mutants.is_empty())
            .min_by_key(|(_, range)| range.len());
        if let Some((mutants, _)) = innermost {
            return mutants.clone();
        }
        self.changes
            .iter()
            .filter(|(_, range)| bytes.start <= range.start && range.end <= bytes.end)
            .map(|(mutant, _)| *mutant)
            .collect()
    }

    /// Writes these bytes of the source; `rest` begins with the first place in them, and goes on after the last.
    fn stretch(&mut self, source: &str, bytes: Range<usize>, rest: &mut &[Switched]) {
        let mut at = bytes.start;
        while let Some((first, others)) = rest.split_first().filter(|(first, _)| first.place.range.start < bytes.end) {
            *rest = others;
            self.text.push_str(&source[at..first.place.range.start]);
            self.place(source, first, rest);
            at = first.place.range.end;
        }
        self.text.push_str(&source[at..bytes.end]);
    }

    fn place(&mut self, source: &str, switched: &Switched, rest: &mut &[Switched]) {
        let begin = self.text.len();
        let place = &switched.place;
        let mutants: Vec<(u32, &str)> = switched
            .mutants
            .iter()
            .zip(&place.changes)
            .filter_map(|(mutant, change)| mutant.map(|mutant| (mutant, change.text.as_str())))
            .collect();
        match place.kind {
            Kind::Expression if mutants.is_empty() => self.stretch(source, place.range.clone(), rest),
            Kind::Expression => {
                self.text.push('(');
                for (mutant, text) in &mutants {
                    self.text.push_str(&format!("if {} {{ ", on(*mutant)));
                    self.change(*mutant, text);
                    self.text.push_str(" } else ");
                }
                self.text.push_str("{ ");
                self.stretch(source, place.range.clone(), rest);
                self.text.push_str(" })");
            }
            Kind::Body => {
                for (mutant, text) in &mutants {
                    self.text.push_str(&format!(" if {} {{ return ", on(*mutant)));
                    self.change(*mutant, text);
                    self.text.push_str("; }");
                }
            }
            Kind::Arm => {
                for (mutant, _) in &mutants {
                    self.text.push_str(" if ");
                    self.change(*mutant, &format!("!{}", on(*mutant)));
                }
            }
            Kind::Guard => {
                self.text.push('(');
                for (mutant, text) in &mutants {
                    self.text.push_str(if *text == "true" { "" } else { "!" });
                    self.change(*mutant, &on(*mutant));
                    self.text.push_str(if *text == "true" { " || " } else { " && " });
                }
                self.text.push('(');
                self.stretch(source, place.range.clone(), rest);
                self.text.push_str("))");
            }
        }
        let mutants = mutants.into_iter().map(|(mutant, _)| mutant).collect();
        self.places.push((mutants, begin..self.text.len()));
    }

    fn change(&mut self, mutant: u32, text: &str) {
        let begin = self.text.len();
        self.text.push_str(text);
        self.changes.push((mutant, begin..self.text.len()));
    }
}

fn on(mutant: u32) -> String {
    format!("crate::mutant_switch::on({mutant})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::places;

    fn switched(source: &str) -> Vec<Switched> {
        let mut next = 0;
        let numbered = |place: Place| {
            let mutants = place.changes.iter().map(|_| {
                next += 1;
                Some(next)
            });
            Switched { mutants: mutants.collect(), place }
        };
        places(source).unwrap().into_iter().map(numbered).collect()
    }

    /// With `#1` for its switch, so that it can be read.
    fn woven(source: &str) -> String {
        weave(source, &switched(source))
            .text
            .replace("crate::mutant_switch::on(", "#")
            .replace("#1)", "#1")
            .replace("#2)", "#2")
            .replace("#3)", "#3")
            .replace("#4)", "#4")
    }

    #[test]
    fn every_change_has_its_switch() {
        let cases = [
            (
                "an operator",
                "fn f() -> X { 1 - 2 - 3; }",
                "fn f() -> X { if #1 { return Default::default(); } (if #2 { (1 - 2) + (3) } else if #3 { (1 - 2) / (3) } else { (if #4 { (1) + (2) } else if #5) { (1) / (2) } else { 1 - 2 }) - 3 }); }",
            ),
            (
                "what binds is left alone",
                "fn f() { if let Some(x) = y && !x {} }",
                "fn f() { if #1 { return (); } if let Some(x) = y && (if #2 { x } else { !x }) {} }",
            ),
            (
                "an arm",
                "fn f() -> ! { match x { 1 => a, _ => b } }",
                "fn f() -> ! { match x { 1 if !#1 => a, _ => b } }",
            ),
            (
                "a guard",
                "fn f() -> ! { match x { y if !y => a } }",
                "fn f() -> ! { match x { y if (#1 || !#2 && ((if #3 { y } else { !y }))) => a } }",
            ),
            (
                "a field",
                "fn f() -> ! { A { a: 1, b: 2, ..c } }",
                "fn f() -> ! { (if #1 { A {  b: 2, ..c } } else if #2 { A { a: 1,  ..c } } else { A { a: 1, b: 2, ..c } }) }",
            ),
            (
                "what the compiler works out",
                "const A: u8 = 1 + 2; const fn f() -> u8 { 1 + 2 } static B: [u8; 1 + 2] = [0; 1 + 2];",
                "const A: u8 = 1 + 2; const fn f() -> u8 { 1 + 2 } static B: [u8; 1 + 2] = [0; 1 + 2];",
            ),
            (
                "tests",
                "#[cfg(test)] mod tests { fn f() { 1 + 2; } } #[tokio::test] fn g() { 1 + 2; }",
                "#[cfg(test)] mod tests { fn f() { 1 + 2; } } #[tokio::test] fn g() { 1 + 2; }",
            ),
            (
                "what it returns already",
                "fn f() -> Option<X> { None } fn g() {}",
                "fn f() -> Option<X> { if #1 { return Some(Default::default()); } None } fn g() {}",
            ),
        ];
        for (what, source, expected) in cases {
            assert_eq!(woven(source), expected, "{what}");
        }
    }

    #[test]
    fn whoever_is_to_blame_is_found() {
        let source = "fn f() -> ! { a - b; }";
        let mut places = switched(source);
        let whole = weave(source, &places);
        let at = |text: &str| {
            let begin = whole.text.find(text).unwrap();
            begin..begin + text.len()
        };
        assert_eq!(whole.blamed(&at("(a) + (b)")), [1]);
        assert_eq!(whole.blamed(&at("(b)")), [1], "within a change");
        assert_eq!(whole.blamed(&at("a - b")), [1, 2], "what was there fits none of them");
        assert_eq!(whole.blamed(&(0..whole.text.len())), [1, 2], "all within");
        assert!(whole.blamed(&at("fn f")).is_empty());

        places[0].mutants[0] = None;
        assert_eq!(
            weave(source, &places).text,
            "fn f() -> ! { (if crate::mutant_switch::on(2) { (a) / (b) } else { a - b }); }"
        );
        places[0].mutants[1] = None;
        assert_eq!(weave(source, &places).text, source, "as it was");
    }
}
