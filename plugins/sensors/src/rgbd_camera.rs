//! A camera that also measures depth: two eyes with separate optics.
//!
//! Each pixel of the depth image is a ray, whose range times the cosine of its angle to the optical
//! axis is the depth. Normally distributed noise is added, and the sum is rounded to the
//! resolution. Depths beyond the limits are 0. The colour image is computed as for `camera`, and so
//! are the images of semantic classes and of instances, which have the pixels of the colour image.
//! Each eye has a separate lens.
//!
//! The parameters have the names of `rgbd_camera` in MVSim, and of `camera` for lens, exposure,
//! noise and classes. **Limits:** depth does not imitate a stereo matcher: it has no shadows of a
//! projector and no errors at edges. The range of colour is the larger of `rgb_clip_max` and the
//! largest range of the depth image.

use simhost_sdk::Image;
use simhost_sdk::prelude::*;
use simhost_sdk::vectors::Vec3;

use crate::camera::SEEN;
use crate::mounting::Mounting;
use crate::optics::{self, Colors, Eye, Film, Grid, LensModel, Pixel};

/// A camera that also measures depth.
#[derive(Params)]
#[param(scaling = Scaling::INVARIANT)]
#[expect(
    dead_code,
    reason = "what only pictures and topics need is declared, so that world files load"
)]
pub struct RgbdCamera {
    /// Position and attitude of the depth sensor on the vehicle; it looks along its own x axis. By
    /// default it looks ahead, and to the left on its side in the profile mvsim-1.2. At the default
    /// position it does not see its own vehicle.
    #[param(unit = "m m m deg deg deg", key = "pose_3d", default = [0.0, 0.0, 0.5, 0.0, 0.0, 0.0],
            scaling = &Scaling::POSE_3D)]
    pose_3d: [f64; 6],
    /// Position and attitude of the colour camera in the frame of the depth sensor. It looks along its own
    /// z axis, with x to the right and y down. By default it looks where the depth sensor looks; in the profile
    /// mvsim-1.2 the default is 0 0 0 0 0 0.
    #[param(unit = "m m m deg deg deg", key = "relativePoseIntensityWRTDepth",
            default = [0.0, 0.0, 0.0, -90.0, 0.0, -90.0], scaling = &Scaling::POSE_3D)]
    relative_pose: [f64; 6],
    /// Whether depth is measured.
    #[param(default = true)]
    sense_depth: bool,
    /// Whether a colour image is taken.
    #[param(default = true)]
    sense_rgb: bool,
    /// Width of the depth image.
    #[param(default = 640, range = 1..=16_384, unit = "px")]
    depth_ncols: u32,
    /// Height of the depth image.
    #[param(default = 480, range = 1..=16_384, unit = "px")]
    depth_nrows: u32,
    /// Column of the depth sensor's optical axis; half of the width by default.
    #[param(unit = "px")]
    depth_cx: Option<f64>,
    /// Row of the depth sensor's optical axis; half of the height by default.
    #[param(unit = "px")]
    depth_cy: Option<f64>,
    /// Horizontal focal length of the depth sensor.
    #[param(default = 500.0, above = 0.0, unit = "px")]
    depth_fx: f64,
    /// Vertical focal length of the depth sensor.
    #[param(default = 500.0, above = 0.0, unit = "px")]
    depth_fy: f64,
    /// Width of the colour image.
    #[param(default = 640, range = 1..=16_384, unit = "px")]
    rgb_ncols: u32,
    /// Height of the colour image.
    #[param(default = 480, range = 1..=16_384, unit = "px")]
    rgb_nrows: u32,
    /// Column of the colour camera's optical axis; half of the width by default.
    #[param(unit = "px")]
    rgb_cx: Option<f64>,
    /// Row of the colour camera's optical axis; half of the height by default.
    #[param(unit = "px")]
    rgb_cy: Option<f64>,
    /// Horizontal focal length of the colour camera.
    #[param(default = 500.0, above = 0.0, unit = "px")]
    rgb_fx: f64,
    /// Vertical focal length of the colour camera.
    #[param(default = 500.0, above = 0.0, unit = "px")]
    rgb_fy: f64,
    /// Lens of the depth sensor, as `lens_model` of `camera`. A fisheye measures no depth beyond 87° from
    /// its axis.
    #[param(default = "pinhole")]
    depth_lens_model: LensModel,
    /// Coefficients of the depth sensor's lens, as `distortion` of `camera`.
    #[param(range = -100.0..=100.0)]
    depth_distortion: Option<Vec<f64>>,
    /// Lens of the colour camera, as `lens_model` of `camera`.
    #[param(default = "pinhole")]
    rgb_lens_model: LensModel,
    /// Coefficients of the colour camera's lens, as `distortion` of `camera`.
    #[param(range = -100.0..=100.0)]
    rgb_distortion: Option<Vec<f64>>,
    /// Whether an image of the semantic classes is taken, with the pixels of the colour image.
    #[param(default = false)]
    sense_class: bool,
    /// Whether an image of the instances is taken, with the pixels of the colour image.
    #[param(default = false)]
    sense_instance: bool,
    /// Nearest distance visible to both cameras. Nearer surfaces do not hide the surfaces behind
    /// them.
    #[param(default = 0.01, above = 0.0, unit = "m")]
    rgb_clip_min: f64,
    /// Farthest distance visible to the colour camera.
    #[param(default = 1e4, above = 0.0, unit = "m")]
    rgb_clip_max: f64,
    /// Smallest measured depth.
    #[param(default = 0.1, above = 0.0, unit = "m")]
    depth_clip_min: f64,
    /// Largest measured depth.
    #[param(default = 15.0, above = 0.0, unit = "m")]
    depth_clip_max: f64,
    /// Resolution of the depth. A larger value makes surfaces look like stairs.
    #[param(default = 1e-3, above = 0.0, unit = "m")]
    depth_resolution: f64,
    /// Standard deviation of the noise on a depth.
    #[param(default = 1e-3, range = 0.0.., unit = "m")]
    depth_noise_sigma: f64,
    /// Rays, light and noise of the colours.
    #[param(flatten)]
    colors: Colors,
    /// Whether the vehicle's own body and wheels are excluded.
    #[param(default = false)]
    ignore_parent_body: bool,
    /// Whether the points are drawn; without effect on the readings.
    #[param(default = false)]
    show_3d_pointcloud: bool,
    /// Whether the depth image is published; without effect, it is a stream of the run.
    #[param(default = true)]
    publish_ros_depth_image: bool,
    /// Whether coloured points are published; without effect.
    #[param(default = false)]
    publish_ros_colored_pointcloud: bool,
    #[param(skip)]
    built: Built,
}

/// Pose without `pose_3d`, m and deg.
const DEFAULT_POSE: [f64; 6] = [0.0, 0.0, 0.5, 0.0, 0.0, 0.0];
/// Largest difference of axes that count as the same.
const ALIKE: f64 = 1e-9;
/// Smallest cosine of the angle to the optical axis at which depth is measured to its limit.
const SMALLEST_AXIAL: f64 = 0.05;

/// What follows from the parameters.
#[derive(Debug, Default)]
struct Built {
    /// Eyes that are used. If both see the same, the rays of the colour camera serve the depth sensor too.
    depth: Option<Eye>,
    color: Option<Eye>,
    is_shared: bool,
    film: Film,
    /// First ray of the colour image.
    first_color: usize,
    /// Reach of all rays, m.
    reach: f64,
}

impl Built {
    /// Returns the eye whose first rays measure depth, one for each pixel.
    fn deep(&self) -> Option<&Eye> {
        if self.is_shared { self.color.as_ref() } else { self.depth.as_ref() }
    }
}

#[model]
impl Sensor for RgbdCamera {
    const SPATIAL: bool = true;
    const OFFSETS: bool = true;
    const RAY_RESULTS: &'static [RayResult] = SEEN;

    fn prepare(&mut self) -> Result<(), String> {
        for (name, near, far) in [
            ("rgb_clip", self.rgb_clip_min, self.rgb_clip_max),
            ("depth_clip", self.depth_clip_min, self.depth_clip_max),
        ] {
            if near >= far {
                return Err(format!(
                    "{name}_min is {near} m, expected less than {name}_max, {far} m"
                ));
            }
        }
        let [depth, color] = self.grids()?;
        let has_color = self.sense_rgb || self.sense_class || self.sense_instance;
        let is_shared = self.sense_depth && has_color && self.sees_alike([&depth, &color]);
        let has_depth = self.sense_depth && !is_shared;
        let depth = has_depth.then(|| Eye::new(depth, &optics::FROM_OPTICAL)).transpose()?;
        let relative = match is_shared {
            true => optics::FROM_OPTICAL,
            false => Mounting::new(None, Some(self.relative_pose)).rotation,
        };
        let color = has_color.then(|| Eye::new(color, &relative)).transpose()?;
        let rays = [&depth, &color].map(|eye| eye.as_ref().map_or(0, Eye::len));
        if rays[0] + rays[1] > optics::MOST_RAYS {
            return Err(format!(
                "both images have {} rays, expected at most {}",
                rays[0] + rays[1],
                optics::MOST_RAYS
            ));
        }
        // the ray of a corner is longer than its depth
        let deep = if is_shared { &color } else { &depth };
        let smallest = deep.iter().flat_map(|eye| eye.axial.iter().flatten());
        let smallest = smallest.copied().fold(1.0, f64::min).max(SMALLEST_AXIAL);
        let depth_reach = self.depth_clip_max / smallest * (1.0 + 1e-12);
        let reach = match (self.sense_depth, has_color) {
            (true, false) => depth_reach,
            (true, true) => depth_reach.max(self.rgb_clip_max),
            _ => self.rgb_clip_max,
        };
        let film = self.colors.film();
        self.built = Built { depth, color, is_shared, film, first_color: rays[0], reach };
        Ok(())
    }

    fn rays(&self) -> usize {
        let Built { depth, color, .. } = &self.built;
        [depth, color].into_iter().flatten().map(Eye::len).sum()
    }

    fn images(&self) -> Vec<Image> {
        let Built { color, first_color, .. } = &self.built;
        let depth = self.built.deep();
        let (mounting, relative) = self.mountings();
        let own = mounting.place(&Mounting {
            position: Vec3::ZERO,
            yaw: 0.0,
            rotation: optics::FROM_OPTICAL,
        });
        let other = mounting.place(&relative);
        let depth = depth.map(|eye| optics::image("depth", ImageKind::Depth, &eye.grid, own, 0));
        let taken = [
            (self.sense_rgb, "rgb", ImageKind::Rgb),
            (self.sense_class, "class", ImageKind::Class),
            (self.sense_instance, "instance", ImageKind::Instance),
        ];
        let taken = taken.into_iter().filter(|(is_taken, ..)| *is_taken);
        let others = color.iter().flat_map(|eye| {
            let first = *first_color;
            taken
                .clone()
                .map(move |(_, name, kind)| optics::image(name, kind, &eye.grid, other, first))
        });
        depth.into_iter().chain(others).collect()
    }

    fn aim(&self, aim: &mut Aim, _: &mut Random) {
        [aim.x, aim.y, aim.z, aim.yaw, aim.pitch, aim.roll] = self.pose_3d;
        [aim.yaw, aim.pitch, aim.roll] = [aim.yaw, aim.pitch, aim.roll].map(|a| a * math::DEG);
        (aim.min_range, aim.max_range) = (self.rgb_clip_min, self.built.reach);
        aim.see_own = !self.ignore_parent_body && self.pose_3d != DEFAULT_POSE;
        let Built { depth, color, first_color, .. } = &self.built;
        if let Some(eye) = depth {
            eye.aim(aim, 0);
        }
        if let Some(eye) = color {
            eye.aim(aim, *first_color);
            for (offsets, offset) in aim.offsets.iter_mut().zip(self.relative_pose) {
                offsets[*first_color..].fill(offset);
            }
        }
    }

    fn read(
        &self,
        _: &(),
        rays: &mut RayReadings<Pixel>,
        random: &mut Random,
        _: &Step,
        _: &mut (),
    ) {
        let Built { color, film, first_color, .. } = &self.built;
        let pixels = |eye: &Eye| eye.grid.pixels();
        let deep = self.built.deep().map_or(0, pixels);
        let colored = color.as_ref().filter(|_| self.sense_rgb).map_or(0, pixels);
        // a ray that is not a pixel of an image keeps these readings
        Pixel::clear(rays, |reading| match reading {
            Pixel::Depth => 0..deep,
            Pixel::Red | Pixel::Green | Pixel::Blue => *first_color..*first_color + colored,
            _ => 0..0,
        });
        if let Some(eye) = self.built.deep() {
            self.read_depth(rays, eye, random);
        }
        let Some(eye) = color else { return };
        if self.sense_rgb {
            optics::read_colors(rays, eye, *first_color, film, random);
        }
        if self.sense_class || self.sense_instance {
            self.read_labels(rays, eye, *first_color);
        }
    }
}

impl RgbdCamera {
    /// Returns the pixels of the depth image and of the colour image.
    fn grids(&self) -> Result<[Grid; 2], String> {
        let lens = |name: &str, model: LensModel, coefficients: &Option<Vec<f64>>| {
            let lens = model.lens(coefficients.as_deref());
            // the message begins with `distortion`
            lens.map_err(|message| format!("{name}_{message}"))
        };
        let depth = Grid {
            width: self.depth_ncols,
            height: self.depth_nrows,
            focal: [self.depth_fx, self.depth_fy],
            centre: optics::centre(
                [self.depth_cx, self.depth_cy],
                [self.depth_ncols, self.depth_nrows],
            ),
            distortion: lens("depth", self.depth_lens_model, &self.depth_distortion)?,
            samples: 1,
        };
        let color = Grid {
            width: self.rgb_ncols,
            height: self.rgb_nrows,
            focal: [self.rgb_fx, self.rgb_fy],
            centre: optics::centre([self.rgb_cx, self.rgb_cy], [self.rgb_ncols, self.rgb_nrows]),
            distortion: lens("rgb", self.rgb_lens_model, &self.rgb_distortion)?,
            samples: if self.sense_rgb { self.colors.samples } else { 1 },
        };
        Ok([depth, color])
    }

    /// Returns whether pixels of depth and of colour with the same place have the same ray.
    fn sees_alike(&self, [depth, color]: [&Grid; 2]) -> bool {
        let relative = Mounting::new(None, Some(self.relative_pose));
        let axes = relative.rotation.axes.into_iter().zip(optics::FROM_OPTICAL.axes);
        let mut parts = axes.flat_map(|(a, b)| a.to_array().into_iter().zip(b.to_array()));
        relative.position == Vec3::ZERO
            && Grid { samples: depth.samples, ..*color } == *depth
            && parts.all(|(a, b)| (a - b).abs() < ALIKE)
    }

    /// Returns the pose of the depth sensor, and the pose of the colour camera relative to it.
    fn mountings(&self) -> (Mounting, Mounting) {
        let [own, relative] = [self.pose_3d, self.relative_pose];
        (Mounting::new(None, Some(own)), Mounting::new(None, Some(relative)))
    }

    /// Sets classes and entities at the pixels of the colour image, whose rays begin at `first`.
    fn read_labels(&self, rays: &mut RayReadings<Pixel>, eye: &Eye, first: usize) {
        let visible = self.rgb_clip_min..=self.rgb_clip_max;
        let (classes, entities) = (rays.result(RayResult::Class), rays.result(RayResult::Entity));
        for pixel in 0..eye.grid.pixels() {
            let ray = first + pixel;
            if eye.axial[pixel].is_some() && visible.contains(&rays.ranges[ray]) {
                rays.set(Pixel::Class, ray, classes[ray]);
                rays.set(Pixel::Entity, ray, entities[ray]);
            }
        }
    }

    fn read_depth(&self, rays: &mut RayReadings<Pixel>, eye: &Eye, random: &mut Random) {
        let (limits, sigma) = (self.depth_clip_min..=self.depth_clip_max, self.depth_noise_sigma);
        let (exact, depths) = (rays.ranges, rays.column(Pixel::Depth));
        optics::for_each_noise(eye.grid.pixels(), sigma > 0.0, random, |pixel, noise| {
            let depth = eye.depth(pixel, exact[pixel]);
            let measured = depth + sigma * noise;
            let rounded = (measured / self.depth_resolution).round() * self.depth_resolution;
            let is_seen = limits.contains(&depth) && limits.contains(&measured);
            // a multiple of the resolution can be beyond the limit next to it
            let within = rounded.clamp(self.depth_clip_min, self.depth_clip_max);
            depths[pixel] = if is_seen { within } else { 0.0 };
        });
    }
}

#[cfg(test)]
mod tests;
