//! Skyboxes: images of the surroundings.

use std::path::PathBuf;

use simhost_assets::{AssetError, Limits, image};
use simhost_scene::ColorImage;

use crate::diagnostics::Diagnostic;
use crate::files;
use crate::reader::ElementReader;
use crate::sources::Span;
use crate::tree::Text;
use crate::vocabulary::{Section, Value, attribute, child, section};

/// Six images of the surroundings.
#[derive(Clone, Debug, PartialEq)]
pub struct Skybox {
    /// Paths of the images: front (towards +x), back, down, up, left (towards +y), right. An image that is not
    /// available is `None`.
    pub images: Vec<Option<PathBuf>>,
    /// Address of the images as written in the file, with `%s` for the side.
    pub textures: String,
    /// Position of the element.
    pub span: Span,
}

impl Skybox {
    /// Reads the image of each side that is available, in the order of `images`.
    ///
    /// # Errors
    /// An image cannot be read.
    pub fn read_images(&self) -> Result<Vec<Option<ColorImage>>, AssetError> {
        let read = |path: &PathBuf| image::read_color(path, &Limits::default());
        self.images.iter().map(|path| path.as_ref().map(read).transpose()).collect()
    }
}

/// Names of the six sides.
const SIDES: [&str; 6] = ["Front", "Back", "Down", "Up", "Left", "Right"];

pub(crate) static SKYBOX: Section = section(
    "element class=\"skybox\"",
    "Six images of the surroundings, which cameras see where nothing else is.",
    &[
        attribute("class", Value::Text, "skybox").required(),
        child(
            "textures",
            Value::Uri,
            "Address of the images, with %s for Front, Back, Down, Up, Left and Right.",
        )
        .required(),
    ],
);

pub(crate) fn read(mut reader: ElementReader<'_, '_, '_>) -> Option<Skybox> {
    let span = reader.element.name_span;
    let text = reader.text_of("textures");
    let text = reader.require("textures", text);
    let context = reader.finish();
    let text = text?;
    let textures = text.value()?.to_owned();
    if textures.matches("%s").count() != 1 {
        let error = Diagnostic::error(format!("`textures` has to name six images: `{textures}`"))
            .at(text.span)
            .label("expected one %s, for Front, Back, Down, Up, Left and Right")
            .help("write <textures>sky_%s.png</textures> for sky_Front.png, sky_Back.png, …");
        context.report.push(error);
        return None;
    }
    let images = SIDES.map(|side| {
        let uri = textures.replace("%s", side);
        files::image(context, &Text { content: uri.into(), ..text.clone() })
    });
    Some(Skybox { images: images.to_vec(), textures, span })
}
