//! Conditions of a search.

use qingyu_knowledge::filter::{Fields, Filter, Value};

use crate::input;

/// Any text as a condition: it is refused with the place, or written and read again it is the same and chooses the same.
pub fn condition(bytes: &[u8]) {
    let text = input::text(bytes);
    let filter = match Filter::parse(text) {
        Ok(filter) => filter,
        Err(error) => {
            let end = text.chars().count() + 1;
            assert!((1..=end).contains(&error.position), "{} of {end}", error.position);
            return;
        }
    };
    let written = filter.to_string();
    let again =
        Filter::parse(&written).unwrap_or_else(|error| panic!("what was written can be read: {error}: {written}"));
    assert_eq!(again, filter, "{written}");
    let card = |fields: &[(&str, Value)]| -> Fields {
        fields.iter().map(|(name, value)| ((*name).to_owned(), vec![value.clone()])).collect()
    };
    for fields in [Fields::new(), card(&[("name", "林青".into()), ("age", 30_u32.into())]), card(&[("a", true.into())])]
    {
        assert_eq!(filter.fits(&fields), again.fits(&fields));
        assert_ne!(
            filter.fits(&fields),
            Filter::Not(Box::new(filter.clone())).fits(&fields),
            "a thing or its opposite"
        );
    }
}
