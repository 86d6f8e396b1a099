//! Skyboxes: images of the surroundings.

use std::path::PathBuf;

use simhost_assets::{AssetError, Limits, image};
use simhost_scene::ColorImage;

use crate::diagnostics::Diagnostic;
use crate::files;
use crate::reader::{ElementReader, declare};
use crate::sources::Span;
use crate::tree::Text;
use crate::vocabulary::field::{child, class};
use crate::vocabulary::{Value, element};

declare! {
    /// Six images of the surroundings, which cameras see behind all objects.
    section = element("element class=\"skybox\"").with(&[class("skybox")]) => find_images;

    /// Six images of the surroundings.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Skybox {
        /// Address of the images, with %s for Front, Back, Down, Up, Left and Right.
        pub textures: String = child(Value::Uri).required();
        /// Paths of the images: front (towards +x), back, down, up, left (towards +y), right. An image that is not
        /// available is `None`.
        pub images: Vec<Option<PathBuf>> => |_| Vec::new();
        /// Position of the element.
        pub span: Span => |reader| reader.element.name_span;
    }
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

/// Looks up the images.
fn find_images(skybox: Skybox, reader: &mut ElementReader<'_, '_, '_>) -> Option<Skybox> {
    let text = reader.text_of("textures")?;
    let context = &mut *reader.context;
    if skybox.textures.matches("%s").count() != 1 {
        let message = format!("`textures` has to name six images: `{}`", skybox.textures);
        let error = Diagnostic::error(message)
            .at(text.span)
            .label("expected one %s, for Front, Back, Down, Up, Left and Right")
            .help("write <textures>sky_%s.png</textures> for sky_Front.png, sky_Back.png, …");
        context.report.push(error);
        return None;
    }
    let images = SIDES.map(|side| {
        let uri = skybox.textures.replace("%s", side);
        files::image(context, &Text { content: uri.into(), ..text.clone() })
    });
    Some(Skybox { images: images.to_vec(), ..skybox })
}
