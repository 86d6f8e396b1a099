//! Hints at the name that was probably meant.

use simhost_model::nearest;

/// Maximum number of names that an unknown name is compared with.
pub(crate) const MAX_COMPARED: usize = 10_000;

/// Returns a hint at the known name that is nearest to `name`, or an empty text.
pub(crate) fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known.into_iter().take(MAX_COMPARED))
        .map_or(String::new(), |known| format!("did you mean `{known}`?"))
}
