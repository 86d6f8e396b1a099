//! Effects of the faults of robots.

use crate::diagnostics::Diagnostic;
use crate::reader::ElementReader;
use crate::sources::Span;
use crate::tree::Text;

/// Effect of a fault on the values of its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FaultEffect {
    /// The value is 0.
    Off,
    /// The value is multiplied by this factor.
    Scale(f64),
    /// This is added to the value, in its unit.
    Offset(f64),
    /// The value stays that at the onset.
    Stuck,
    /// A sensor gives no samples; a port keeps its last value, as with [`Self::Stuck`].
    Dropout,
}

/// Words of effects.
pub(super) const WORDS: &[&str] = &["off", "scale", "offset", "stuck", "dropout"];

/// The attributes of an effect.
pub(super) struct GivenEffect {
    pub target: Option<Text>,
    pub word: Option<String>,
    pub value: Option<f64>,
}

/// Reads the effect, with the name of its target. Returns `None` if it has errors.
pub(super) fn read(
    reader: &mut ElementReader<'_, '_, '_>,
    GivenEffect { target, word: effect, value }: GivenEffect,
) -> Option<Option<(String, Span, FaultEffect)>> {
    let place = reader.element.name_span;
    let word = reader.text_of("effect").map(|text| text.span);
    let value_span = reader.text_of("value").map(|text| text.span);
    let error = match (target, word, effect.as_deref()) {
        (None, None, _) => match value_span {
            None => return Some(None),
            Some(span) => Diagnostic::error("`value` of `<fault>` has no effect")
                .at(span)
                .help("add `target` and `effect`, or remove `value`"),
        },
        (None, Some(span), _) => Diagnostic::error("missing `target` of `<fault>`")
            .at(span)
            .label("an effect acts on a port or a sensor")
            .help("name it with target=\"…\", or remove `effect`"),
        (Some(text), None, _) => Diagnostic::error("missing `effect` of `<fault>`")
            .at(text.span)
            .label("expected an effect on this target")
            .help("write effect=\"off\", \"scale\", \"offset\", \"stuck\" or \"dropout\""),
        (_, _, None) => return None,
        (Some(text), Some(span), Some(word)) => {
            let needs_value = matches!(word, "scale" | "offset");
            match (needs_value, value_span) {
                (true, None) => Diagnostic::error(format!("missing `value` of effect `{word}`"))
                    .at(span)
                    .help("write the factor or the summand as value=\"…\""),
                (false, Some(span)) => {
                    Diagnostic::error(format!("effect `{word}` does not take a `value`"))
                        .at(span)
                        .help("remove `value`, or write effect=\"scale\" or effect=\"offset\"")
                }
                _ => {
                    let effect = match word {
                        "off" => FaultEffect::Off,
                        "scale" => FaultEffect::Scale(value?),
                        "offset" => FaultEffect::Offset(value?),
                        "stuck" => FaultEffect::Stuck,
                        _ => FaultEffect::Dropout,
                    };
                    return Some(Some((text.value()?.trim().to_owned(), text.span, effect)));
                }
            }
        }
    };
    let error = if error.span.is_none() { error.at(place) } else { error };
    reader.context.report.push(error);
    None
}
