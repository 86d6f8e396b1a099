//! Search for the name that a misspelt one was meant to be.

/// Longest name that is compared with others, in bytes.
const MAX_NAME: usize = 100;

/// Returns the known name nearest to a misspelt one, or `None` where none is near enough. One letter
/// can be wrong, one more for every four letters, and one more where the first letter is right.
///
/// ```
/// assert_eq!(simhost_model::nearest("mew", ["mu", "C_rr"]), Some("mu"));
/// assert_eq!(simhost_model::nearest("gravity", ["duration"]), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > MAX_NAME {
        return None;
    }
    let lower = name.to_lowercase();
    let distance = |known: &'a str| {
        let other = known.to_lowercase();
        let lengths = [&lower, &other].map(|name| name.chars().count());
        let same_start = lower.chars().next() == other.chars().next();
        let near = 1 + lengths[0].min(lengths[1]) / 4 + usize::from(same_start);
        // every additional letter counts as a difference
        if lengths[0].abs_diff(lengths[1]) > near {
            return None;
        }
        let distance = strsim::damerau_levenshtein(&lower, &other);
        (distance <= near).then_some((distance, known))
    };
    // a name that is known, but not here, is no suggestion
    known
        .into_iter()
        .filter(|known| *known != name)
        .filter_map(distance)
        .min()
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_distant_ones_are_not() {
        for (name, known, expected) in [
            ("mew", &["mu", "C_rr", "mass"][..], Some("mu")),
            ("m", &["mu"], Some("mu")),
            ("K_P", &["KP", "KI"], Some("KP")),
            ("Mass", &["mass", "zmin"], Some("mass")),
            ("duraton", &["duration", "gravity"], Some("duration")),
            ("x", &["y"], Some("y")),
            ("mu", &["mu", "nu"], Some("nu")),
            ("abc", &["mu", "KP"], None),
            ("texture", &["shape", "mass"], None),
        ] {
            assert_eq!(nearest(name, known.iter().copied()), expected, "{name}");
        }
        assert_eq!(nearest(&"a".repeat(200), ["a"]), None);
    }
}
