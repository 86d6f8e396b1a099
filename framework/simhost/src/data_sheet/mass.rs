//! Masses and dimensions.

use super::{Rows, SheetInput, SheetRow};

impl SheetInput<'_> {
    /// Returns the mass, kg.
    pub(super) fn mass(&self) -> Result<f64, String> {
        let mass = self.simulation.bodies().nth(self.number).and_then(|one| one.mass);
        mass.ok_or_else(|| "the dynamics class has no mass: it imposes the motion".to_owned())
    }

    /// Returns the centre of mass, vehicle frame, m.
    pub(super) fn centre(&self) -> Result<[f64; 2], String> {
        let centre = self.simulation.bodies().nth(self.number).and_then(|one| one.centre);
        centre.ok_or_else(|| "the dynamics class has no centre of mass".to_owned())
    }

    /// Returns the sum of mass times height above the ground of chassis and wheels, kg·m. The centre of mass of a wheel is
    /// at its axle.
    pub(super) fn moment(&self) -> f64 {
        let chassis = &self.vehicle.chassis;
        let wheels = self.vehicle.wheels.iter().map(|wheel| wheel.mass * 0.5 * wheel.diameter);
        chassis.mass * chassis.centre_height() + wheels.sum::<f64>()
    }

    /// Returns the distance of the first axle from the last one, m.
    pub(super) fn wheelbase(&self) -> Result<f64, String> {
        let (first, last) = (self.axles.first(), self.axles.last());
        let length = first.zip(last).map_or(0.0, |(first, last)| first.x - last.x);
        if length > 0.0 { Ok(length) } else { Err("all wheels are on one axle".to_owned()) }
    }
}

pub(super) fn rows(input: &SheetInput<'_>) -> Vec<SheetRow> {
    let mut rows = Rows("Mass and dimensions", Vec::new());
    let of_body = input.simulation.bodies().nth(input.number);
    let missing = || "the dynamics class does not publish it".to_owned();
    rows.add("mass", "kg", input.mass());
    let yaw = of_body.and_then(|one| one.yaw_inertia).ok_or_else(missing);
    rows.add("yaw inertia", "kg·m²", yaw);
    let springs = input.springs();
    for (name, axis) in [("roll inertia of the body", 1), ("pitch inertia of the body", 0)] {
        // the springs turn the body about an axis on the ground (parallel axis theorem)
        let height = input.vehicle.chassis.centre_height();
        let own = springs.clone().map(|one| one.inertia[axis] - one.toppling * height);
        rows.add(name, "kg·m²", own);
    }
    let centre = input.centre();
    rows.add("centre of mass x", "m", centre.clone().map(|at| at[0]));
    rows.add("centre of mass y", "m", centre.map(|at| at[1]));
    rows.add("centre of mass height", "m", input.mass().map(|mass| input.moment() / mass));
    rows.add("wheelbase", "m", input.wheelbase());
    for axle in &input.axles {
        let track = axle.track();
        let single = || Err(format!("the {} has one wheel", axle.name));
        rows.add(
            format!("track of the {}", axle.name),
            "m",
            if track > 0.0 { Ok(track) } else { single() },
        );
    }
    for axle in &input.axles {
        let none =
            || Err("the dynamics class imposes the motion, so wheels carry no load".to_owned());
        let load = if axle.load > 0.0 { Ok(axle.load) } else { none() };
        rows.add(format!("load of the {}", axle.name), "N", load.clone());
        let share = load.and_then(|load| Ok(load / (input.mass()? * input.gravity)));
        rows.add(format!("share of the {}", axle.name), "1", share);
    }
    rows.1
}
