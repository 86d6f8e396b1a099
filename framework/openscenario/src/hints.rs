//! Help for names that are not known.

/// Returns the nearest of the known names, and all of them; an advice to remove the name if there are none.
pub(crate) fn one_of<'n>(found: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    if known.is_empty() {
        return "remove it".to_owned();
    }
    let all = format!("use one of: {}", known.join(", "));
    match simhost_model::nearest(found, known.iter().copied()) {
        Some(nearest) => format!("did you mean `{nearest}`? {all}"),
        None => all,
    }
}
