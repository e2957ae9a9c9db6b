//! What a function could return instead, told from its type alone.

use syn::{GenericArgument, PathArguments, Type};

/// At most so many for one function: a tuple of results multiplies.
const MOST: usize = 8;

/// Expressions of this type that are likely to be wrong. Some do not compile; the compiler says which. None for types that no
/// expression can be told from, such as `impl Trait`.
pub(crate) fn values(wanted: &Type) -> Vec<String> {
    let mut values = of(wanted);
    values.truncate(MOST);
    values
}

fn of(wanted: &Type) -> Vec<String> {
    match wanted {
        Type::Paren(inner) => of(&inner.elem),
        Type::Group(inner) => of(&inner.elem),
        Type::Tuple(parts) => parts
            .elems
            .iter()
            .fold(vec!["(".to_owned()], |before, part| product(&before, &of(part)))
            .into_iter()
            .map(|tuple| tuple + ")")
            .collect(),
        Type::Array(array) => match &array.len {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(length), .. }) => {
                wrapped("[", &of(&array.elem), &format!("; {length}]"))
            }
            _ => Vec::new(),
        },
        Type::Reference(reference) if reference.mutability.is_none() => match &*reference.elem {
            Type::Path(path) if path.path.is_ident("str") => literals(&["\"\"", "\"xyzzy\""]),
            Type::Slice(slice) => {
                let mut slices = literals(&["&[]"]);
                slices.extend(wrapped("Vec::leak(vec![", &of(&slice.elem), "])"));
                slices
            }
            inner => wrapped("Box::leak(Box::new(", &of(inner), "))"),
        },
        Type::Path(path) => {
            path.path.segments.last().map(|name| named(&name.ident.to_string(), &name.arguments)).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

fn named(name: &str, arguments: &PathArguments) -> Vec<String> {
    let inner =
        || arguments_of(arguments).into_iter().next().map(of).unwrap_or_else(|| literals(&["Default::default()"]));
    match name {
        "bool" => literals(&["true", "false"]),
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => literals(&["0", "1"]),
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => literals(&["0", "1", "-1"]),
        "f32" | "f64" => literals(&["0.0", "1.0", "-1.0"]),
        "String" => literals(&["String::new()", "\"xyzzy\".to_owned()"]),
        "Option" => [literals(&["None"]), wrapped("Some(", &inner(), ")")].concat(),
        "Result" => wrapped("Ok(", &inner(), ")"),
        "Vec" => [literals(&["Vec::new()"]), wrapped("vec![", &inner(), "]")].concat(),
        "Box" | "Arc" | "Rc" => wrapped(&format!("{name}::new("), &inner(), ")"),
        "BoxFuture" => wrapped("Box::pin(async move { ", &inner(), " })"),
        _ => literals(&["Default::default()"]),
    }
}

fn arguments_of(arguments: &PathArguments) -> Vec<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return Vec::new() };
    arguments
        .args
        .iter()
        .filter_map(|argument| match argument {
            GenericArgument::Type(inner) => Some(inner),
            _ => None,
        })
        .collect()
}

fn literals(values: &[&str]) -> Vec<String> {
    values.iter().map(|&value| value.to_owned()).collect()
}

fn wrapped(before: &str, values: &[String], after: &str) -> Vec<String> {
    values.iter().map(|value| format!("{before}{value}{after}")).collect()
}

/// Each beginning of a tuple with each value of its next part.
fn product(before: &[String], part: &[String]) -> Vec<String> {
    before.iter().flat_map(|begun| part.iter().map(move |value| format!("{begun}{value}, "))).take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_type_could_be_instead() {
        let cases: &[(&str, &[&str])] = &[
            ("()", &["()"]),
            ("bool", &["true", "false"]),
            ("Option<u8>", &["None", "Some(0)", "Some(1)"]),
            ("Result<(), Error>", &["Ok(())"]),
            ("fmt::Result", &["Ok(Default::default())"]),
            (
                "(bool, String)",
                &[
                    "(true, String::new(), )",
                    "(true, \"xyzzy\".to_owned(), )",
                    "(false, String::new(), )",
                    "(false, \"xyzzy\".to_owned(), )",
                ],
            ),
            ("&str", &["\"\"", "\"xyzzy\""]),
            ("&[bool]", &["&[]", "Vec::leak(vec![true])", "Vec::leak(vec![false])"]),
            ("[f32; 2]", &["[0.0; 2]", "[1.0; 2]", "[-1.0; 2]"]),
            ("BoxFuture<'_, bool>", &["Box::pin(async move { true })", "Box::pin(async move { false })"]),
            ("Self", &["Default::default()"]),
            ("impl Iterator<Item = u8>", &[]),
            ("Box<dyn Error>", &[]),
            ("&mut u8", &[]),
            ("!", &[]),
        ];
        for (wanted, expected) in cases {
            let parsed = syn::parse_str::<Type>(wanted).unwrap();
            assert_eq!(values(&parsed), *expected, "{wanted}");
        }
    }
}
