//! Where a source can be changed, and how.

use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Attribute, BinOp, Block, Expr, ImplItemFn, ItemFn, ItemImpl, ItemMod, Pat, ReturnType, Signature, TraitItemFn, UnOp,
};

use crate::values::values;

/// A place in a source, and the changes that can be made there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    /// The bytes it takes up. Places are nested, or have nothing in common; of two that take up the same, the first is the outer one.
    pub range: Range<usize>,
    /// Counted from one.
    pub line: usize,
    pub kind: Kind,
    pub changes: Vec<Change>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// An expression, and each change is another one.
    Expression,
    /// The begin of a function, where each change returns a value.
    Body,
    /// The end of a pattern that has no guard, whose arm can be passed over.
    Arm,
    /// A guard, which can be held to be true or false.
    Guard,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change {
    /// As people read it: `replace < with <= in Story::check`.
    pub name: String,
    /// What stands there instead. For an arm that is passed over nothing.
    pub text: String,
}

/// All places of a source, outermost first.
///
/// # Errors
/// If it is no Rust.
pub(crate) fn places(source: &str) -> syn::Result<Vec<Place>> {
    let file = syn::parse_file(source)?;
    let mut finder = Finder { source, places: Vec::new(), within: Vec::new() };
    if !is_test(&file.attrs) {
        finder.visit_file(&file);
    }
    finder.places.sort_by_key(|place| (place.range.start, usize::MAX - place.range.end));
    Ok(finder.places)
}

struct Finder<'a> {
    source: &'a str,
    places: Vec<Place>,
    /// The type and the functions that is being looked at.
    within: Vec<String>,
}

impl Finder<'_> {
    fn text(&self, range: Range<usize>) -> &str {
        &self.source[range]
    }

    /// Whatever spaces it was written with.
    fn plain(&self, span: Span) -> String {
        let mut words = self.text(span.byte_range()).split_whitespace().collect::<Vec<_>>().join(" ");
        if words.chars().count() > 60 {
            words = words.chars().take(59).chain(['…']).collect();
        }
        words
    }

    /// Outside of functions all is constant, and nothing is a place.
    fn add(&mut self, range: Range<usize>, line: usize, kind: Kind, changes: Vec<Change>) {
        if !self.within.is_empty() && !changes.is_empty() {
            self.places.push(Place { range, line, kind, changes });
        }
    }

    /// A place that takes up all of `span`; each change is a name without its function, and a text.
    fn add_at(&mut self, span: Span, kind: Kind, changes: impl IntoIterator<Item = (String, String)>) {
        let within = self.within.join("::");
        let named = |(name, text)| Change { name: format!("{name} in {within}"), text };
        self.add(span.byte_range(), span.start().line, kind, changes.into_iter().map(named).collect());
    }

    fn function(&mut self, attributes: &[Attribute], signature: &Signature, block: &Block) {
        if signature.constness.is_some() || is_test(attributes) {
            return;
        }
        self.within.push(signature.ident.to_string());
        let returned = match &signature.output {
            ReturnType::Default => vec!["()".to_owned()],
            ReturnType::Type(_, wanted) => values(wanted),
        };
        let whole = self.plain(block.span());
        let told = match &signature.output {
            ReturnType::Default => String::new(),
            ReturnType::Type(_, wanted) => format!(" -> {}", self.plain(wanted.span())),
        };
        let as_it_is = |value: &String| whole == format!("{{ {value} }}");
        if !block.stmts.is_empty() {
            let open = block.brace_token.span.open();
            let mut begin = open.byte_range();
            begin.start = begin.end;
            let within = self.within.join("::");
            let changes: Vec<Change> = returned
                .into_iter()
                .filter(|value| !as_it_is(value))
                .map(|value| Change { name: format!("replace {within}{told} with {value}"), text: value })
                .collect();
            self.add(begin, open.start().line, Kind::Body, changes);
        }
        visit::visit_block(self, block);
        self.within.pop();
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        self.function(&function.attrs, &function.sig, &function.block);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        self.function(&function.attrs, &function.sig, &function.block);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast TraitItemFn) {
        if let Some(block) = &function.default {
            self.function(&function.attrs, &function.sig, block);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let name = self.plain(item.self_ty.span());
        let name = match &item.trait_ {
            // What a debugger prints is promised to nobody.
            Some((path, _)) if path.segments.last().is_some_and(|last| last.ident == "Debug") => return,
            Some((path, _)) => format!("<{} for {name}>", self.plain(path.span())),
            None => name,
        };
        if !is_test(&item.attrs) {
            self.within.push(name);
            visit::visit_item_impl(self, item);
            self.within.pop();
        }
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.within.push(item.ident.to_string());
        visit::visit_item_trait(self, item);
        self.within.pop();
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        // What a `let` binds must not end within a block of its own.
        if !has_let(&binary.left) && !has_let(&binary.right) {
            let sign = self.plain(binary.op.span());
            let [left, right] =
                [binary.left.span(), binary.right.span()].map(|side| self.text(side.byte_range()).to_owned());
            let others = instead(&binary.op);
            self.add_at(
                binary.span(),
                Kind::Expression,
                others
                    .iter()
                    .map(|other| (format!("replace {sign} with {other}"), format!("({left}) {other} ({right})"))),
            );
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        if matches!(unary.op, UnOp::Not(_)) || matches!(unary.op, UnOp::Neg(_)) && !matches!(*unary.expr, Expr::Lit(_))
        {
            let sign = self.plain(unary.op.span());
            let inner = self.text(unary.expr.span().byte_range()).to_owned();
            self.add_at(unary.span(), Kind::Expression, [(format!("delete {sign}"), inner)]);
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_match(&mut self, matched: &'ast syn::ExprMatch) {
        let rest = matched.arms.iter().any(|arm| matches!(arm.pat, Pat::Wild(_)));
        for arm in &matched.arms {
            match &arm.pat {
                Pat::Guard(guarded) => {
                    let guard = self.plain(guarded.guard.span());
                    let held = |value: &str| (format!("replace match guard {guard} with {value}"), value.to_owned());
                    if !has_let(&guarded.guard) {
                        self.add_at(guarded.guard.span(), Kind::Guard, [held("true"), held("false")]);
                    }
                }
                Pat::Wild(_) => {}
                pattern if rest => {
                    let mut end = pattern.span().byte_range();
                    end.start = end.end;
                    let name = format!("delete match arm {} in {}", self.plain(pattern.span()), self.within.join("::"));
                    self.add(end, pattern.span().start().line, Kind::Arm, vec![Change { name, text: String::new() }]);
                }
                _ => {}
            }
        }
        visit::visit_expr_match(self, matched);
    }

    fn visit_expr_struct(&mut self, made: &'ast syn::ExprStruct) {
        if made.rest.is_some() {
            let whole = made.span().byte_range();
            let name = self.plain(made.path.span());
            let fields = made.fields.pairs().map(|pair| {
                let taken = pair.span().byte_range();
                let field = self.plain(pair.value().member.span());
                let text = format!("{}{}", self.text(whole.start..taken.start), self.text(taken.end..whole.end));
                (format!("delete field {field} of {name}"), text)
            });
            let fields: Vec<_> = fields.collect();
            self.add_at(made.span(), Kind::Expression, fields);
        }
        visit::visit_expr_struct(self, made);
    }

    // What is worked out by the compiler cannot be changed while the program runs.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_variant(&mut self, _: &'ast syn::Variant) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_pat(&mut self, pattern: &'ast Pat) {
        if let Pat::Guard(guarded) = pattern {
            self.visit_expr(&guarded.guard);
        }
    }
    fn visit_expr_repeat(&mut self, repeated: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeated.expr);
    }
    fn visit_attribute(&mut self, _: &'ast Attribute) {}
    fn visit_generics(&mut self, _: &'ast syn::Generics) {}
    fn visit_angle_bracketed_generic_arguments(&mut self, _: &'ast syn::AngleBracketedGenericArguments) {}
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let path = attribute.path();
        path.segments.last().is_some_and(|last| last.ident == "test")
            || path.is_ident("cfg")
                && attribute.parse_args::<syn::Path>().is_ok_and(|condition| condition.is_ident("test"))
    })
}

fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(inner) => has_let(&inner.expr),
        _ => false,
    }
}

fn instead(sign: &BinOp) -> &'static [&'static str] {
    match sign {
        BinOp::Eq(_) => &["!="],
        BinOp::Ne(_) => &["=="],
        BinOp::And(_) => &["||"],
        BinOp::Or(_) => &["&&"],
        BinOp::Lt(_) => &["==", ">", "<="],
        BinOp::Gt(_) => &["==", "<", ">="],
        BinOp::Le(_) => &[">"],
        BinOp::Ge(_) => &["<"],
        BinOp::Add(_) => &["-", "*"],
        BinOp::Sub(_) => &["+", "/"],
        BinOp::Mul(_) => &["+", "/"],
        BinOp::Div(_) => &["%", "*"],
        BinOp::Rem(_) => &["/", "+"],
        BinOp::BitAnd(_) => &["|", "^"],
        BinOp::BitOr(_) => &["&", "^"],
        BinOp::BitXor(_) => &["|", "&"],
        BinOp::Shl(_) => &[">>"],
        BinOp::Shr(_) => &["<<"],
        BinOp::AddAssign(_) => &["-=", "*="],
        BinOp::SubAssign(_) => &["+=", "/="],
        BinOp::MulAssign(_) => &["+=", "/="],
        BinOp::DivAssign(_) => &["%=", "*="],
        BinOp::RemAssign(_) => &["/=", "+="],
        BinOp::BitAndAssign(_) => &["|=", "^="],
        BinOp::BitOrAssign(_) => &["&=", "^="],
        BinOp::BitXorAssign(_) => &["|=", "&="],
        BinOp::ShlAssign(_) => &[">>="],
        BinOp::ShrAssign(_) => &["<<="],
        _ => &[],
    }
}
