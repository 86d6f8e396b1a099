//! A robot as a vehicle: which links are wheels, castors and chassis.

use nalgebra::Vector3;

use crate::outline::ReadMesh;
use crate::robot::{
    DriveKind, LinkBody, LinkShape, Robot, RobotJoint, RobotJointKind, RobotLink, SensorOnLink, Sum,
};
use simhost_scene::polygon::convex_hull;
use simhost_xml::{Note, ReadError};

/// Largest part of a wheel's axis along the vertical.
const TILT: f64 = 0.3;
/// Largest distance of the lowest point of a castor from the ground, as a part of the radius of the wheels.
const NEAR_GROUND: f64 = 0.35;
/// Largest distance of a wheel without drive from the middle, as a part of the distance of the outer wheels.
const IN_THE_MIDDLE: f64 = 0.1;
/// Width of a wheel that is a sphere, as a part of its diameter.
const SPHERE_WIDTH: f64 = 0.3;

/// A wheel.
#[derive(Clone, Debug, PartialEq)]
pub struct WheelDraft {
    /// Name of the element in `<dynamics>`.
    pub element: &'static str,
    /// Names of the joint that turns it and of its link; for a castor, of the link alone.
    pub names: Vec<String>,
    /// Index of the link.
    pub link: usize,
    /// Links that turn with it about the axle.
    pub parts: Vec<usize>,
    /// Links that only turn with its steering.
    pub knuckle: Vec<usize>,
    /// Place of the contact, m, vehicle frame.
    pub place: [f64; 2],
    /// Mass, kg.
    pub mass: f64,
    /// Inertia about the axle, kg·m²; `None` for a castor, whose inertia follows from its mass.
    pub inertia: Option<f64>,
    /// Diameter, m.
    pub diameter: f64,
    /// Width, m.
    pub width: f64,
}

/// A vehicle that is made from a robot.
#[derive(Clone, Debug)]
pub struct VehicleDraft<'r> {
    /// The robot.
    pub robot: &'r Robot,
    /// Class of the dynamics.
    pub class: &'static str,
    /// Origin of the vehicle in the frame of the robot, m.
    pub origin: Vector3<f64>,
    /// Wheels.
    pub wheels: Vec<WheelDraft>,
    /// Mass, centre, in the vehicle frame, and inertia of everything but the wheels.
    pub chassis: Sum,
    /// Lowest and highest point of the chassis, m, vehicle frame.
    pub heights: [f64; 2],
    /// Outline from above, m, vehicle frame, counter-clockwise.
    pub outline: Vec<[f64; 2]>,
    /// Largest steering angle of an equivalent wheel in the middle, rad, of a vehicle that steers.
    pub max_steer: Option<f64>,
    /// Whether the rear wheels are driven, or the front wheels, of a vehicle that steers.
    pub is_driven: [bool; 2],
    /// Largest torque of a wheel, N·m.
    pub torque: Option<f64>,
    /// Coefficient of friction of the wheels.
    pub friction: Option<f64>,
    /// What was simplified.
    pub notes: Vec<Note>,
}

/// A wheel of the robot, before its place in the class is known.
struct Found {
    joint: usize,
    link: usize,
    /// Links that turn with it.
    parts: Vec<usize>,
    centre: Vector3<f64>,
    radius: f64,
    width: f64,
    steers: Option<usize>,
}

impl Found {
    /// Returns whether it turns freely about an upright joint.
    fn swivels(&self, robot: &Robot) -> bool {
        self.steers.is_some_and(|number| robot.joints[number].kind == RobotJointKind::Continuous)
    }

    /// Returns the links that only turn with its steering.
    fn knuckle(&self, robot: &Robot) -> Vec<usize> {
        let steered = self.steers.map(|number| robot.below(robot.joints[number].child));
        let mut links = steered.unwrap_or_default();
        links.retain(|link| !self.parts.contains(link));
        links
    }

    /// Returns it as a support.
    fn as_castor(&self) -> Castor {
        Castor { link: self.link, place: self.centre, height: 2.0 * self.radius }
    }
}

/// Takes the wheels that support a differential drive and do not drive it: those that swivel, and those in the middle
/// between the others.
fn take_free(robot: &Robot, wheels: &mut Vec<Found>) -> Vec<Found> {
    let side = wheels.iter().map(|wheel| wheel.centre.y.abs()).fold(0.0, f64::max);
    let is_free =
        |wheel: &mut Found| wheel.swivels(robot) || wheel.centre.y.abs() < IN_THE_MIDDLE * side;
    wheels.extract_if(.., is_free).collect()
}

impl<'r> VehicleDraft<'r> {
    /// Finds wheels, castors and chassis of a robot.
    ///
    /// # Errors
    /// [`ReadError`] if there are no wheels on both sides, their masses are not known, or no class has as many.
    pub fn of(robot: &'r Robot, read: &ReadMesh<'_>) -> Result<Self, ReadError> {
        let root = robot.root()?;
        let mut notes = Vec::new();
        let mut wheels = wheels(robot, read, &mut notes)?;
        let line = robot.links[root].line;
        if wheels.is_empty() {
            let text = format!("'{}' has no wheels", robot.name);
            let help = "a wheel is a link on a continuous joint with a level axis, whose collision is a cylinder or a \
                        sphere";
            return Err(ReadError::new(line, text).help(help));
        }
        let ground = wheels.iter().map(|wheel| wheel.centre.z - wheel.radius);
        let ground = ground.fold(f64::INFINITY, f64::min);
        let kind = robot.drives.first().map(|drive| drive.kind);
        let steered = |wheel: &Found| wheel.steers.is_some() && !wheel.swivels(robot);
        let is_ackermann =
            kind == Some(DriveKind::Ackermann) || kind.is_none() && wheels.iter().any(steered);
        let free = if is_ackermann { Vec::new() } else { take_free(robot, &mut wheels) };
        let mut castors = castors(robot, read, &wheels, ground);
        castors.retain(|one| free.iter().all(|wheel| !wheel.parts.contains(&one.link)));
        castors.extend(free.iter().map(Found::as_castor));
        let mut draft = Self {
            robot,
            class: "",
            origin: Vector3::new(0.0, 0.0, ground),
            wheels: Vec::new(),
            chassis: robot.total(),
            heights: [0.0; 2],
            outline: Vec::new(),
            max_steer: None,
            is_driven: [true, false],
            torque: robot.drives.iter().find_map(|drive| drive.torque),
            friction: None,
            notes,
        };
        let picked = match is_ackermann {
            true => draft.steer(&wheels, line)?,
            false => draft.pair(&wheels, &castors, line)?,
        };
        draft.fill(&picked, &wheels, &castors, read)?;
        Ok(draft)
    }

    /// Chooses the wheels of a vehicle that steers: rear left, rear right, front left, front right.
    fn steer(
        &mut self,
        wheels: &[Found],
        line: u32,
    ) -> Result<Vec<(&'static str, usize)>, ReadError> {
        let is_front = |wheel: &Found| wheel.steers.is_some();
        let mut picked = Vec::new();
        for (element, front, left) in [
            ("rl_wheel", false, true),
            ("rr_wheel", false, false),
            ("fl_wheel", true, true),
            ("fr_wheel", true, false),
        ] {
            let fits = |wheel: &&(usize, &Found)| {
                is_front(wheel.1) == front && (wheel.1.centre.y > 0.0) == left
            };
            let all: Vec<_> = wheels.iter().enumerate().filter(|one| fits(&one)).collect();
            let [(number, _)] = all.as_slice() else {
                let found = format!("{} wheels in the place of <{element}>", all.len());
                let text = format!("'{}' steers, and has {found}; expected 1", self.robot.name);
                let help = "a car has four wheels, and its front wheels turn about upright joints; a tricycle that \
                     steers has no class";
                return Err(ReadError::new(line, text).help(help));
            };
            picked.push((element, *number));
        }
        self.class = "ackermann";
        let at = |n: usize| wheels[picked[n].1].centre;
        let (rear, front) = (0.5 * (at(0) + at(1)), 0.5 * (at(2) + at(3)));
        self.origin.x = rear.x;
        self.origin.y = rear.y;
        let (wheelbase, track) = (front.x - rear.x, (at(2).y - at(3).y).abs());
        let limit = |n: usize| -> Option<f64> {
            let joint = &self.robot.joints[wheels[picked[n].1].steers?];
            joint.limits.map(|[low, high]| high.abs().min(low.abs()))
        };
        // the inner wheel reaches its limit first: cot of the middle is that of the inner one plus half a track
        self.max_steer = limit(2).or(limit(3)).filter(|inner| *inner > 0.0).map(|inner| {
            (1.0 / (1.0 / inner.min(1.5).tan() + 0.5 * track / wheelbase.max(1e-3))).atan()
        });
        Ok(picked)
    }

    /// Chooses the wheels of a vehicle that turns by different speeds of its sides.
    fn pair(
        &mut self,
        wheels: &[Found],
        castors: &[Castor],
        line: u32,
    ) -> Result<Vec<(&'static str, usize)>, ReadError> {
        let side = |left: bool| -> Vec<usize> {
            let fits = |number: &usize| (wheels[*number].centre.y > 0.0) == left;
            let mut found: Vec<usize> = (0..wheels.len()).filter(fits).collect();
            found.sort_by(|a, b| wheels[*a].centre.x.total_cmp(&wheels[*b].centre.x));
            found
        };
        let (left, right) = (side(true), side(false));
        let count = |wheels: &[usize]| match wheels.len() {
            1 => "1 wheel".to_owned(),
            many => format!("{many} wheels"),
        };
        Ok(match (left.as_slice(), right.as_slice()) {
            ([l], [r]) => {
                self.class =
                    if castors.is_empty() { "differential" } else { "differential_3_wheels" };
                vec![("l_wheel", *l), ("r_wheel", *r)]
            }
            ([lr, .., lf], [rr, .., rf]) => {
                self.class = "differential_4_wheels";
                let middle = left.len() + right.len() - 4;
                if middle > 0 {
                    let text = format!(
                        "{middle} wheels between the front and the rear axle belong to the chassis: simhost has \
                         differential drives with two and four wheels"
                    );
                    self.notes.push(Note { line, text });
                }
                vec![("lr_wheel", *lr), ("rr_wheel", *rr), ("lf_wheel", *lf), ("rf_wheel", *rf)]
            }
            _ => {
                let text = format!(
                    "'{}' has {} on the left and {} on the right; expected as many on both sides",
                    self.robot.name,
                    count(&left),
                    count(&right)
                );
                return Err(ReadError::new(line, text));
            }
        })
    }

    /// Fills in the wheels, and what remains as the chassis.
    fn fill(
        &mut self,
        picked: &[(&'static str, usize)],
        all: &[Found],
        castors: &[Castor],
        read: &ReadMesh<'_>,
    ) -> Result<(), ReadError> {
        let robot = self.robot;
        let mut taken = Vec::new();
        let mut lowest_mu: Option<f64> = None;
        for (element, number) in picked {
            let wheel = &all[*number];
            let (joint, link) = (&robot.joints[wheel.joint], &robot.links[wheel.link]);
            let sum = robot.sum(|link| wheel.parts.contains(&link));
            if sum.mass <= 0.0 {
                let text =
                    format!("the wheel '{}' has no mass; expected more than 0 kg", link.name);
                return Err(ReadError::new(link.line, text).help("give it an <inertial>"));
            }
            let arm = sum.centre - wheel.centre;
            let off = arm - joint.axis * arm.dot(&joint.axis);
            let inertia =
                joint.axis.dot(&(sum.inertia * joint.axis)) + sum.mass * off.norm_squared();
            if inertia.is_nan() || inertia <= 0.0 {
                let text = format!(
                    "the wheel '{}' has an inertia of {inertia} kg·m² about its axle",
                    link.name
                );
                return Err(ReadError::new(link.line, text).help("expected more than 0"));
            }
            let place = wheel.centre - self.origin;
            self.wheels.push(WheelDraft {
                element,
                names: vec![joint.name.clone(), link.name.clone()],
                link: wheel.link,
                parts: wheel.parts.clone(),
                knuckle: wheel.knuckle(robot),
                place: [place.x, place.y],
                mass: sum.mass,
                inertia: Some(inertia),
                diameter: 2.0 * wheel.radius,
                width: wheel.width,
            });
            taken.extend(wheel.parts.iter().copied());
            let mu = link.friction.iter().flatten().copied().reduce(f64::min);
            lowest_mu = [lowest_mu, mu].into_iter().flatten().reduce(f64::min);
            let effort = joint.effort[0].filter(|effort| *effort > 0.0);
            self.torque = self.torque.or(effort);
        }
        // Gazebo's ground has a coefficient of 1, and the smaller one of a contact counts
        self.friction = lowest_mu.map(|mu| mu.min(1.0));
        if self.class == "differential_3_wheels" {
            self.add_castor(castors, &mut taken);
        }
        self.find_driven(picked, all);
        self.chassis = robot.sum(|link| !taken.contains(&link));
        if self.chassis.mass <= 0.0 {
            let text = format!("'{}' has no mass besides its wheels", robot.name);
            return Err(ReadError::new(robot.links[robot.root()?].line, text)
                .help("give a link an <inertial>"));
        }
        self.chassis.centre -= self.origin;
        self.find_outline(&taken, read);
        Ok(())
    }

    /// Replaces the castors by one wheel between them, which swivels and has no friction.
    fn add_castor(&mut self, castors: &[Castor], taken: &mut Vec<usize>) {
        let robot = self.robot;
        let count = castors.len() as f64;
        let mean = |value: &dyn Fn(&Castor) -> f64| castors.iter().map(value).sum::<f64>() / count;
        let names: Vec<String> =
            castors.iter().map(|one| robot.links[one.link].name.clone()).collect();
        let (x, y) = (mean(&|one| one.place.x), mean(&|one| one.place.y));
        let inertials = castors.iter().filter_map(|one| robot.links[one.link].inertial);
        let mass: f64 = inertials.map(|inertial| inertial.mass).sum();
        if castors.len() > 1 {
            let list = names.join(", ");
            let text = format!("the castors {list} became one support in the middle of them");
            self.notes.push(Note { line: robot.links[castors[0].link].line, text });
        }
        let least = 1e-3 * robot.total().mass; // a support without mass would have no inertia
        if mass > 0.0 {
            taken.extend(castors.iter().map(|one| one.link));
        }
        self.wheels.push(WheelDraft {
            element: "caster_wheel",
            names,
            link: castors[0].link,
            parts: Vec::new(),
            knuckle: Vec::new(),
            place: [x - self.origin.x, y - self.origin.y],
            mass: if mass > 0.0 { mass } else { least },
            inertia: None,
            diameter: mean(&|one| one.height).max(0.01),
            width: (0.5 * mean(&|one| one.height)).max(0.005),
        });
    }

    /// Finds which axles of a vehicle that steers are driven: those with an effort, or else the rear one.
    fn find_driven(&mut self, picked: &[(&'static str, usize)], all: &[Found]) {
        let has_effort = |n: usize| {
            let joint = &self.robot.joints[all[picked[n].1].joint];
            joint.effort[0].is_some_and(|effort| effort > 0.0)
        };
        if self.class == "ackermann" {
            let [rear, front] = [has_effort(0) || has_effort(1), has_effort(2) || has_effort(3)];
            self.is_driven = if rear || front { [rear, front] } else { [true, false] };
        }
    }

    /// Determines heights and outline of the chassis from collisions, or else visuals, or else the wheels.
    fn find_outline(&mut self, taken: &[usize], read: &ReadMesh<'_>) {
        let robot = self.robot;
        let (mut points, mut planar) = (Vec::new(), Vec::new());
        for pick in
            [(|link: &RobotLink| &link.collisions) as fn(&RobotLink) -> &Vec<LinkBody>, |link| {
                &link.visuals
            }]
        {
            let links = robot.links.iter().enumerate();
            for (_, link) in links.filter(|(number, _)| !taken.contains(number)) {
                for body in pick(link) {
                    match body.shape.points(&body.frame.within(&link.frame), read) {
                        Ok(found) => points.extend(found.into_iter().map(|one| one - self.origin)),
                        Err(reason) => self.notes.push(Note { line: body.line, text: reason }),
                    }
                }
            }
            planar = points.iter().map(|one: &Vector3<f64>| [one.x, one.y]).collect();
            self.outline = convex_hull(&planar);
            if self.outline.len() >= 3 {
                break;
            }
        }
        if self.outline.len() < 3 {
            let line = robot.links[0].line;
            let text =
                "no shape of the chassis could be read; its outline is the rectangle of the wheels";
            self.notes.push(Note { line, text: text.to_owned() });
            for wheel in &self.wheels {
                let [x, y] = wheel.place;
                let (r, w) = (0.5 * wheel.diameter, 0.5 * wheel.width);
                planar.extend([[x - r, y - w], [x + r, y - w], [x + r, y + w], [x - r, y + w]]);
            }
            self.outline = convex_hull(&planar);
        }
        let fold = |start: f64, pick: fn(f64, f64) -> f64| {
            points.iter().map(|one| one.z).fold(start, pick)
        };
        let tallest = self.wheels.iter().map(|wheel| wheel.diameter).fold(0.0, f64::max);
        let [low, high] = [fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max)];
        self.heights =
            if high > low && high > 0.0 { [low.max(0.0), high] } else { [0.25 * tallest, tallest] };
    }

    /// Returns a sensor's frame in the vehicle frame.
    pub(crate) fn frame_of(&self, sensor: &SensorOnLink) -> crate::frame::LinkFrame {
        let mut frame = sensor.frame.within(&self.robot.links[sensor.link].frame);
        frame.origin -= self.origin;
        frame
    }
}

/// Finds the wheels: links on joints without limits and with a level axis, whose collision is round about that axis.
fn wheels(
    robot: &Robot,
    read: &ReadMesh<'_>,
    notes: &mut Vec<Note>,
) -> Result<Vec<Found>, ReadError> {
    let mut found = Vec::new();
    for (number, joint) in robot.joints.iter().enumerate() {
        let is_level = joint.axis.z.abs() < TILT;
        match joint.kind {
            RobotJointKind::Continuous if is_level => {}
            RobotJointKind::Fixed | RobotJointKind::Ball => continue,
            _ => {
                if !is_steering(robot, number) {
                    let text = format!(
                        "joint '{}' stays at zero: everything on it belongs to the chassis",
                        joint.name
                    );
                    notes.push(Note { line: joint.line, text });
                }
                continue;
            }
        }
        let parts = robot.below(joint.child);
        let Some((radius, width)) = round(robot, joint, &parts, read) else {
            let link = &robot.links[joint.child].name;
            let text = format!(
                "'{link}' turns about a level axis, but no collision says its radius; it belongs to the chassis"
            );
            notes.push(Note { line: joint.line, text });
            continue;
        };
        let above = robot.joints.iter().position(|other| other.child == joint.parent);
        let steers = above.filter(|above| is_steering(robot, *above));
        found.push(Found {
            joint: number,
            link: joint.child,
            parts,
            centre: joint.place,
            radius,
            width,
            steers,
        });
    }
    Ok(found)
}

/// Returns whether a joint turns about an upright axis and carries a wheel.
fn is_steering(robot: &Robot, number: usize) -> bool {
    let joint = &robot.joints[number];
    let turns = matches!(joint.kind, RobotJointKind::Revolute | RobotJointKind::Continuous);
    let carries =
        |wheel: &RobotJoint| wheel.kind == RobotJointKind::Continuous && wheel.axis.z.abs() < TILT;
    turns && joint.axis.z.abs() > 1.0 - TILT && robot.joints_on(joint.child).any(carries)
}

/// Returns radius and width of a wheel from its largest cylinder or sphere, or from a mesh.
fn round(
    robot: &Robot,
    joint: &RobotJoint,
    parts: &[usize],
    read: &ReadMesh<'_>,
) -> Option<(f64, f64)> {
    let bodies = |pick: fn(&RobotLink) -> &Vec<LinkBody>| {
        parts
            .iter()
            .flat_map(move |part| pick(&robot.links[*part]).iter().map(|body| (*part, body)))
    };
    let exact = bodies(|link| &link.collisions).chain(bodies(|link| &link.visuals));
    let mut largest: Option<(f64, f64)> = None;
    for (part, body) in exact {
        let frame = body.frame.within(&robot.links[part].frame);
        let along = (frame.rotation * Vector3::z()).dot(&joint.axis).abs();
        let size = match body.shape {
            LinkShape::Cylinder { radius, length } if along > 0.9 => (radius, length),
            LinkShape::Sphere(radius) => (radius, SPHERE_WIDTH * 2.0 * radius),
            _ => continue,
        };
        if largest.is_none_or(|(radius, _)| size.0 > radius) {
            largest = Some(size);
        }
    }
    largest.or_else(|| {
        let mut meshes = bodies(|link| &link.collisions).chain(bodies(|link| &link.visuals));
        meshes.find_map(|(part, body)| {
            let points =
                body.shape.points(&body.frame.within(&robot.links[part].frame), read).ok()?;
            let along = |point: &Vector3<f64>| (point - joint.place).dot(&joint.axis);
            let away =
                |point: &Vector3<f64>| (point - joint.place - joint.axis * along(point)).norm();
            let radius = points.iter().map(away).fold(0.0, f64::max);
            let (low, high) = points
                .iter()
                .map(along)
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), one| {
                    (low.min(one), high.max(one))
                });
            (radius > 0.0 && high > low).then_some((radius, high - low))
        })
    })
}

/// A link that slides or rolls on the ground and is no wheel.
struct Castor {
    link: usize,
    place: Vector3<f64>,
    /// Height above its lowest point, m.
    height: f64,
}

/// Returns the lowest and the highest coordinates of the collisions of a link.
fn bounds(link: &RobotLink, read: &ReadMesh<'_>) -> Option<[Vector3<f64>; 2]> {
    let bodies = link.collisions.iter();
    let points = bodies
        .filter_map(|body| body.shape.points(&body.frame.within(&link.frame), read).ok())
        .flatten();
    let boxes = points.map(|point| [point, point]);
    boxes.reduce(|[low, high], [other, _]| [low.inf(&other), high.sup(&other)])
}

/// Finds the castors: links that are not the chassis itself, and whose small shape reaches the ground.
fn castors(robot: &Robot, read: &ReadMesh<'_>, wheels: &[Found], ground: f64) -> Vec<Castor> {
    let turning: Vec<usize> = wheels.iter().flat_map(|wheel| wheel.parts.iter().copied()).collect();
    let radius = wheels.iter().map(|wheel| wheel.radius).fold(f64::INFINITY, f64::min);
    let mut found = Vec::new();
    for joint in &robot.joints {
        let link = &robot.links[joint.child];
        let name = link.name.to_lowercase();
        let is_named = ["caster", "castor"].iter().any(|part| name.contains(part));
        let can_be = is_named || joint.kind == RobotJointKind::Ball || link.collisions.len() == 1;
        if turning.contains(&joint.child) || !can_be {
            continue;
        }
        let Some([low, high]) = bounds(link, read) else { continue };
        let is_low = (low.z - ground).abs() < NEAR_GROUND * radius;
        let is_small = (high - low).max() < 2.5 * radius;
        if is_low && is_small {
            let middle = 0.5 * (low + high);
            found.push(Castor { link: joint.child, place: middle, height: high.z - low.z });
        }
    }
    found
}
