//! A camera: colour, and from the same pixels depth, semantic class and instance.
//!
//! Each pixel is a ray through the lens, or the mean of several. The host gives the light along the rays
//! under sun, shadow and sky; the camera exposes it, adds noise and rounds to eight bits.
//!
//! The parameters with the names of MVSim's `camera` have its meaning, except that `clip_min` and
//! `clip_max` limit the distance along the ray, not the depth. **Limit:** no blur by motion within the
//! exposure, no depth of field, no glare; mirrors and glass do not exist.

use simhost_sdk::Image;
use simhost_sdk::kinematics::angles;
use simhost_sdk::prelude::*;

use crate::mounting::Mounting;
use crate::optics::{self, Colors, Eye, Film, Grid, LensModel, Pixel};

/// A camera. It looks along the z axis of its pose, with x to the right and y down.
#[derive(Params)]
#[param(scaling = Scaling::INVARIANT)]
pub struct Camera {
    /// Position and attitude of the optical frame on the vehicle: z looks ahead, x right, y down.
    /// An upright camera that looks ahead has yaw -90, pitch 0 and roll -90; the default of MVSim
    /// is upside down. A camera at the default position does not see its own vehicle.
    #[param(unit = "m m m deg deg deg", key = "pose_3d", default = [0.0, 0.0, 0.5, -90.0, 0.0, -90.0],
            scaling = &Scaling::POSE_3D)]
    pose_3d: [f64; 6],
    /// Width of the image.
    #[param(default = 640, range = 1..=16_384, unit = "px")]
    ncols: u32,
    /// Height of the image.
    #[param(default = 480, range = 1..=16_384, unit = "px")]
    nrows: u32,
    /// Column of the optical axis; half of the width by default. The centre of the first column is 0.
    #[param(unit = "px")]
    cx: Option<f64>,
    /// Row of the optical axis; half of the height by default. The centre of the first row is 0.
    #[param(unit = "px")]
    cy: Option<f64>,
    /// Horizontal focal length. A larger value narrows the field of view.
    #[param(default = 500.0, above = 0.0, unit = "px")]
    fx: f64,
    /// Vertical focal length. A larger value narrows the vertical field of view.
    #[param(default = 500.0, above = 0.0, unit = "px")]
    fy: f64,
    /// Model of the lens: no distortion, Brown-Conrady as `plumb_bob` in ROS, or a fisheye as `equidistant`
    /// in ROS.
    #[param(default = "pinhole")]
    lens_model: LensModel,
    /// Coefficients of the lens: k1 k2 p1 p2 k3 for `plumb_bob`, k1 k2 k3 k4 for `equidistant`.
    #[param(range = -100.0..=100.0)]
    distortion: Option<Vec<f64>>,
    /// Nearest visible distance. Nearer surfaces are invisible, and do not hide the surfaces behind
    /// them.
    #[param(default = 0.01, above = 0.0, unit = "m")]
    clip_min: f64,
    /// Farthest visible distance. Beyond this distance is sky.
    #[param(default = 1e4, above = 0.0, unit = "m")]
    clip_max: f64,
    /// Rays, light and noise of the colours.
    #[param(flatten)]
    colors: Colors,
    /// Time from the first to the last row, which is taken at the time of the sample. A larger
    /// value distorts passing objects; 0 for a global shutter.
    #[param(default = 0.0, range = 0.0..=10.0, unit = "s", key = "readout_time")]
    readout: f64,
    /// Whether the colour image is taken.
    #[param(default = true)]
    sense_rgb: bool,
    /// Whether an image of the depth along the optical axis is taken, without errors.
    #[param(default = false)]
    sense_depth: bool,
    /// Whether an image of the semantic classes is taken.
    #[param(default = false)]
    sense_class: bool,
    /// Whether an image of the instances is taken.
    #[param(default = false)]
    sense_instance: bool,
    /// Whether an image of the optical flow is taken.
    #[param(default = false)]
    sense_flow: bool,
    /// Whether the vehicle's own body and wheels are excluded. Their shadow remains.
    #[param(default = false)]
    ignore_parent_body: bool,
    #[param(skip)]
    built: Built,
}

/// Pose without `pose_3d`, m and deg.
const DEFAULT_POSE: [f64; 6] = [0.0, 0.0, 0.5, -90.0, 0.0, -90.0];

/// What follows from the parameters.
#[derive(Debug, Default)]
struct Built {
    eye: Eye,
    film: Film,
    /// Yaw, pitch and roll of the rays' frame, rad.
    angles: [f64; 3],
}

/// Results of a ray that a camera with colours needs.
pub(crate) const SEEN: &[RayResult] = &[
    RayResult::Class,
    RayResult::Entity,
    RayResult::LightRed,
    RayResult::LightGreen,
    RayResult::LightBlue,
];

/// Results of a ray that a camera with colours and optical flow needs.
const SEEN_WITH_FLOW: &[RayResult] = &[
    RayResult::Class,
    RayResult::Entity,
    RayResult::LightRed,
    RayResult::LightGreen,
    RayResult::LightBlue,
    RayResult::RateLeft,
    RayResult::RateUp,
];

/// The time between two images.
#[derive(Ports)]
pub struct Clock {
    /// Time between two samples.
    #[port(unit = "s")]
    pub sample_period: f64,
}

#[model]
impl Sensor for Camera {
    const SPATIAL: bool = true;
    const RAY_RESULTS: &'static [RayResult] = SEEN_WITH_FLOW;

    fn prepare(&mut self) -> Result<(), String> {
        let (near, far) = (self.clip_min, self.clip_max);
        if near >= far {
            return Err(format!("clip_min is {near} m, expected less than clip_max, {far} m"));
        }
        let distortion = self.lens_model.lens(self.distortion.as_deref())?;
        let upright = optics::upright(&self.mounting().rotation);
        let grid = Grid {
            width: self.ncols,
            height: self.nrows,
            focal: [self.fx, self.fy],
            centre: optics::centre([self.cx, self.cy], [self.ncols, self.nrows]),
            distortion,
            samples: if self.sense_rgb { self.colors.samples } else { 1 },
        };
        self.built = Built {
            eye: Eye::new(grid, &optics::FROM_OPTICAL)?,
            film: self.colors.film(),
            angles: angles(&upright),
        };
        Ok(())
    }

    fn rays(&self) -> usize {
        self.built.eye.len()
    }

    fn images(&self) -> Vec<Image> {
        let [x, y, z, ..] = self.pose_3d;
        let [yaw, pitch, roll] = angles(&self.mounting().rotation);
        let all = [
            (self.sense_rgb, "rgb", ImageKind::Rgb),
            (self.sense_depth, "depth", ImageKind::Depth),
            (self.sense_class, "class", ImageKind::Class),
            (self.sense_instance, "instance", ImageKind::Instance),
            (self.sense_flow, "flow", ImageKind::Flow),
        ];
        let taken = all.into_iter().filter(|(is_taken, ..)| *is_taken);
        let pose = [x, y, z, yaw, pitch, roll];
        taken
            .map(|(_, name, kind)| optics::image(name, kind, &self.built.eye.grid, pose, 0))
            .collect()
    }

    fn aim(&self, aim: &mut Aim, _: &mut Random) {
        [aim.x, aim.y, aim.z, ..] = self.pose_3d;
        [aim.yaw, aim.pitch, aim.roll] = self.built.angles;
        (aim.min_range, aim.max_range) = (self.clip_min, self.clip_max);
        aim.see_own = !self.ignore_parent_body && self.pose_3d != DEFAULT_POSE;
        self.built.eye.aim(aim, 0);
        if self.readout > 0.0 {
            self.built.eye.roll(aim, 0, self.readout);
        }
    }

    fn read(
        &self,
        clock: &Clock,
        rays: &mut RayReadings<Pixel>,
        random: &mut Random,
        _: &Step,
        _: &mut (),
    ) {
        let Built { eye, film, .. } = &self.built;
        // further rays of a pixel have no readings
        let pixels = eye.grid.pixels();
        Pixel::clear(rays, |reading| match reading {
            Pixel::Depth | Pixel::Class | Pixel::Entity => 0..pixels,
            Pixel::Red | Pixel::Green | Pixel::Blue if self.sense_rgb => 0..pixels,
            Pixel::FlowX | Pixel::FlowY if self.sense_flow => 0..pixels,
            _ => 0..0,
        });
        if self.sense_rgb {
            optics::read_colors(rays, eye, 0, film, random);
        }
        read_surfaces(rays, eye);
        if self.sense_flow {
            let rates = [RayResult::RateLeft, RayResult::RateUp].map(|rate| rays.result(rate));
            for pixel in 0..pixels {
                let [x, y] = eye.flow(pixel, rates.map(|rates| rates[pixel] * clock.sample_period));
                rays.set(Pixel::FlowX, pixel, x);
                rays.set(Pixel::FlowY, pixel, y);
            }
        }
    }
}

/// Sets depths, classes and entities.
fn read_surfaces(rays: &mut RayReadings<Pixel>, eye: &Eye) {
    let (classes, entities) = (rays.result(RayResult::Class), rays.result(RayResult::Entity));
    for pixel in 0..eye.grid.pixels() {
        let depth = eye.depth(pixel, rays.ranges[pixel]);
        let is_seen = depth.is_finite();
        // a wide fisheye sees what is behind it, at negative depths
        rays.set(Pixel::Depth, pixel, if is_seen { depth.max(0.0) } else { 0.0 });
        rays.set(Pixel::Class, pixel, if is_seen { classes[pixel] } else { 0.0 });
        rays.set(Pixel::Entity, pixel, if is_seen { entities[pixel] } else { -1.0 });
    }
}

impl Camera {
    fn mounting(&self) -> Mounting {
        Mounting::new(None, Some(self.pose_3d))
    }
}

#[cfg(test)]
mod tests;
