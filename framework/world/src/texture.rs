//! Images on surfaces.

use std::path::PathBuf;

use simhost_assets::{AssetError, Limits, image};
use simhost_scene::ColorImage;

use crate::files;
use crate::reader::ElementReader;

/// An image on a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// Path of the image, or `None` if it is not available.
    pub image: Option<PathBuf>,
    /// Address of the image as written in the file.
    pub uri: String,
    /// Size of one copy of the image in m. 0 stretches it over the surface.
    pub size: [f64; 2],
    /// Rotation about the vertical in rad.
    pub rotation: f64,
}

impl Texture {
    /// Reads the image. Returns `None` if it is not available.
    ///
    /// # Errors
    /// The image cannot be read.
    pub fn read_image(&self) -> Option<Result<ColorImage, AssetError>> {
        self.image.as_ref().map(|path| image::read_color(path, &Limits::default()))
    }
}

/// Reads the entry `name` of an element as an image.
pub(crate) fn read_texture(
    reader: &mut ElementReader<'_, '_, '_>,
    name: &str,
    size: [f64; 2],
    rotation: f64,
) -> Option<Texture> {
    let text = reader.text_of(name)?;
    let uri = text.value()?.to_owned();
    let image = files::image(reader.context, text);
    Some(Texture { image, uri, size, rotation })
}
