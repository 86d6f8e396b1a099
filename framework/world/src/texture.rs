//! Images on surfaces.

use std::ops::Range;
use std::path::PathBuf;

use simhost_assets::{AssetError, Limits, image};
use simhost_scene::ColorImage;

use crate::files;
use crate::reader::{ElementReader, Field};
use crate::vocabulary::{Entry, Value};

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

/// An image, followed by its size along both axes and its rotation, if it has one.
impl Field for Option<Texture> {
    fn read(reader: &mut ElementReader<'_, '_, '_>, place: Range<usize>) -> Option<Self> {
        let mut texture =
            Texture { image: None, uri: String::new(), size: [0.0; 2], rotation: 0.0 };
        let mut sizes = texture.size.iter_mut();
        for index in place.start + 1..place.end {
            let number = reader.field_at(index)?;
            match reader.section.entries[index].value {
                Value::Angle(_) => texture.rotation = number,
                _ => *sizes.next()? = number,
            }
        }
        let Some(text) = reader.text_of(reader.section.entries[place.start].name) else {
            return Some(None);
        };
        texture.uri = text.value()?.to_owned();
        texture.image = files::image(reader.context, text);
        Some(Some(texture))
    }

    fn absent(_: &'static [Entry]) -> Option<Self> {
        Some(None)
    }
}
