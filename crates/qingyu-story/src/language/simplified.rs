//! Conversion from traditional to simplified Chinese, character by character, by table lookup.

use std::sync::LazyLock;

use hanconv::RawDictionary;

const FIRST: u32 = 0x3400;
const COUNT: usize = 0xa000 - 0x3400;

/// The simplified form of each character from [`FIRST`]; 0 for characters without another form.
static TABLE: LazyLock<Box<[u16]>> = LazyLock::new(|| {
    let mut table = vec![0; COUNT];
    for (from, to) in RawDictionary::TSCharacters.iter() {
        let (Some(from), Some(to)) = (from.chars().next(), to.chars().next()) else { continue };
        let slot = u32::from(from).checked_sub(FIRST).and_then(|at| table.get_mut(at as usize));
        if let (Some(slot), Ok(to)) = (slot, u16::try_from(u32::from(to))) {
            *slot = to;
        }
    }
    table.into_boxed_slice()
});

/// Returns the simplified form of `c`, by default `c` itself.
pub fn simplified(c: char) -> char {
    let at = u32::from(c).checked_sub(FIRST);
    let other = at.and_then(|at| TABLE.get(at as usize)).filter(|other| **other != 0);
    other.and_then(|other| char::from_u32(u32::from(*other))).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::simplified;

    #[test]
    fn traditional_characters_have_simplified_forms() {
        let text: String = "後來電腦裡的鐘聲響了，a林".chars().map(simplified).collect();
        assert_eq!(text, "后来电脑里的钟声响了，a林");
    }
}
