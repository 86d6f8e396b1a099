//! Models with names that are unique among those of their kind.

use simhost_abi::Kind;

use super::class::required_class;
use super::instance::{ModelUse, bind};
use crate::diagnostics::Diagnostic;
use crate::reader::ElementReader;
use crate::sources::Span;

/// A model and its name.
pub(crate) struct NamedModel {
    pub name: String,
    pub model: ModelUse,
    /// Position of the name, or of its element.
    pub span: Span,
}

/// Reads the class, the name and the parameters of an element. Without a name, it is the class and the first free
/// number. `taken` are the names of the earlier models of the kind.
pub(crate) fn named_model(
    mut reader: ElementReader<'_, '_, '_>,
    kind: Kind,
    taken: &[&str],
) -> Option<NamedModel> {
    let (model, class_span) = required_class(&mut reader, kind)?;
    let given = reader.text_of("name");
    let span = given.map_or(reader.element.name_span, |text| text.span);
    let mut numbered = (taken.len() + 1..).map(|number| format!("{}{number}", model.id()));
    let name = match given.and_then(|text| text.value()).filter(|name| !name.is_empty()) {
        Some(name) => name.to_owned(),
        None => numbered.find(|name| !taken.contains(&&**name))?,
    };
    if taken.contains(&&*name) {
        let error = Diagnostic::duplicate_name(kind.tag(), &name, span);
        let help = format!("give each {} its own name, or none", kind.tag());
        reader.context.report.push(error.help(help));
    }
    let model = bind(reader, kind, model, class_span, None);
    Some(NamedModel { name, model, span })
}
