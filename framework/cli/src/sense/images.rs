//! The images of one reading of a camera, with pictures of those whose pixels are not colours.

use std::path::{Path, PathBuf};

use simhost::Session;
use simhost_engine::{Simulation, instances};
use simhost_pictures::drawing::Image;
use simhost_pictures::{depths_as_image, numbers_as_image, ranges_as_image};
use simhost_record::{Earlier, ImageFolders, RecordError};
use simhost_streams::Stamp;
use simhost_streams::image::{ImageForm, ImageKind};
use simhost_world::World;

use super::write_image;
use crate::exit::{Code, Failure};
use crate::sense::Sense;
use crate::terminal;
use simhost::tables::{images_of, write_images, write_names};

/// Writes the images of a sample of a camera, and pictures of them.
pub fn write(
    session: &Session,
    sensor: usize,
    sample: &[f64],
    arguments: &Sense,
) -> Result<Code, Failure> {
    let failed = |error: RecordError| Failure::new(Code::Output, error);
    let simulation = session.simulation();
    let info = &simulation.sensors()[sensor];
    let Some(forms) = images_of(info) else { return Ok(Code::Done) };
    // the folders number the sensors of the world
    let sensors = simulation.sensors().iter().enumerate().map(|(number, info)| {
        let forms = (number == sensor).then(|| forms.clone());
        (&*info.vehicle, &*info.sensor, forms)
    });
    let mut folders =
        ImageFolders::create(&arguments.out, sensors, Earlier::Keep).map_err(failed)?;
    let files = write_images(&mut folders, simulation, sensor, sample).map_err(failed)?;
    for file in files {
        terminal::result(&format!("wrote {}", file.display()))?;
    }
    let Some(world) = session.world().description() else { return Ok(Code::Done) };
    write_names(&arguments.out, world, simulation).map_err(failed)?;
    let names = Names { world, simulation };
    let folder: PathBuf = folders.paths().next().map(Path::to_owned).unwrap_or_default();
    let clock = simulation.clock();
    let Stamp(stamp) = Stamp::of_step(clock.steps, clock.dt);
    for (form, channels) in forms.of(sample) {
        if let Some(picture) = names.picture(form, &channels) {
            let path = folder.join(format!("{stamp:019}.{}.png", form.name));
            write_image(&path, &picture)?;
        }
    }
    Ok(Code::Done)
}

/// Names of what can be seen in a world.
struct Names<'s> {
    world: &'s World,
    simulation: &'s Simulation,
}

impl Names<'_> {
    /// Returns a picture of an image; `None` if its pixels are colours already.
    fn picture(&self, form: &ImageForm, channels: &[&[f64]]) -> Option<Image> {
        let numbers = || channels[0].iter().map(|one| u32::from(form.number(*one)));
        match form.kind {
            ImageKind::Rgb => None,
            ImageKind::Depth => Some(depths_as_image(channels[0], form.width)),
            ImageKind::Class => {
                let classes = self.simulation.classes();
                // nothing is seen where the class is 0
                let named = |number: u32| classes.get(number as usize).cloned();
                let name = |number: u32| named(number).filter(|_| number > 0);
                Some(numbers_as_image(&numbers().collect::<Vec<_>>(), form.width, name))
            }
            ImageKind::Instance => {
                let all = instances(self.world);
                let name = |number: u32| all.get(number as usize).map(|one| one.name.clone());
                Some(numbers_as_image(&numbers().collect::<Vec<_>>(), form.width, name))
            }
            ImageKind::Flow => {
                let speed = |(x, y): (&f64, &f64)| (x * x + y * y).sqrt();
                let speeds: Vec<f64> = channels[0].iter().zip(channels[1]).map(speed).collect();
                Some(ranges_as_image(&speeds, form.width))
            }
        }
    }
}
