//! Models that fail, for tests of the host's reaction.

use simhost_sdk::prelude::*;

/// Panics for wheels with more load than a limit, from a set time.
#[derive(Params)]
pub struct PanicsLate {
    /// Time of the panic.
    #[param(default = 1.0, unit = "s")]
    after: f64,
    /// Load above which it panics.
    #[param(default = 0.0, unit = "N")]
    load: f64,
}

#[model]
impl Friction for PanicsLate {
    fn force(&self, wheel: &Wheel, step: &Step, _: &mut ()) -> Force {
        assert!(
            step.time < self.after || wheel.normal_force <= self.load,
            "the tyre burst at {} N",
            wheel.normal_force
        );
        wheel.oppose_sliding(0.8, step)
    }
}

/// Divides by zero from a set time.
#[derive(Params)]
pub struct NotANumber {
    /// Time of the division.
    #[param(default = 1.0, unit = "s")]
    after: f64,
}

#[model]
impl Friction for NotANumber {
    fn force(&self, wheel: &Wheel, step: &Step, _: &mut ()) -> Force {
        let zero = if step.time < self.after { 1.0 } else { 0.0 };
        wheel.reaction(wheel.vx * 0.0 / zero, 0.0, 0.0)
    }
}

/// Rejects its parameters.
#[derive(Params)]
pub struct Refuses {}

#[model]
impl Friction for Refuses {
    fn prepare(&mut self) -> Result<(), String> {
        Err("no tyre fits this rim".into())
    }

    fn force(&self, _: &Wheel, _: &Step, _: &mut ()) -> Force {
        Force::default()
    }
}

/// Panics on creation.
#[derive(Params)]
pub struct PanicsEarly {}

#[model]
impl Friction for PanicsEarly {
    fn prepare(&mut self) -> Result<(), String> {
        panic!("nothing works today")
    }

    fn force(&self, _: &Wheel, _: &Step, _: &mut ()) -> Force {
        Force::default()
    }
}

/// Requires time steps of one millisecond or less.
#[derive(Params)]
pub struct Stiff {}

#[model]
impl Friction for Stiff {
    fn force(&self, wheel: &Wheel, step: &Step, _: &mut ()) -> Force {
        if step.dt > 0.001 {
            step.refuse(0.001);
        }
        wheel.oppose_sliding(0.8, step)
    }
}

/// Memory of [`Counts`].
#[derive(State)]
pub struct Count {
    /// Calls so far.
    #[state(counter, initial = 3.0)]
    calls: f64,
    /// Times of the calls.
    #[state(memory)]
    times: Remembered<Vec<f64>>,
}

/// Divides by zero in its tenth call and counts from three.
#[derive(Params)]
pub struct Counts {}

#[model]
impl Friction for Counts {
    type State = Count;

    fn force(&self, wheel: &Wheel, step: &Step, count: &mut Count) -> Force {
        count.calls += 1.0;
        count.times.push(step.time);
        let wheel = wheel.oppose_sliding(0.8, step);
        Force { fx: wheel.fx + 0.0 / (count.calls - 13.0), ..wheel }
    }
}

/// Does not return from a set time.
#[derive(Params)]
pub struct Hangs {}

#[model]
impl Friction for Hangs {
    fn force(&self, wheel: &Wheel, step: &Step, _: &mut ()) -> Force {
        if step.time >= 0.5 {
            eprintln!("hanging");
        }
        while step.time >= 0.5 {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        wheel.oppose_sliding(0.8, step)
    }
}

/// Ends the process from a set time, as faulty native code does.
#[derive(Params)]
pub struct Crashes {
    /// Whether it aborts instead of writing to an invalid address.
    #[param(default = false)]
    abort: bool,
}

#[model]
impl Friction for Crashes {
    fn force(&self, wheel: &Wheel, step: &Step, _: &mut ()) -> Force {
        if step.time >= 0.5 {
            if self.abort {
                std::process::abort();
            }
            // SAFETY: not sound, to cause a crash on purpose
            unsafe { std::ptr::without_provenance_mut::<u8>(8).write_volatile(1) };
        }
        wheel.oppose_sliding(0.8, step)
    }
}

/// Memory of [`Wanders`].
#[derive(State)]
pub struct Draws {
    /// Mean of all draws.
    mean: f64,
    /// The most recent draws.
    #[state(memory)]
    last: Remembered<Vec<f64>>,
}

/// Friction that depends on the most recent draws. They differ for each wheel and after a loss of the memory.
#[derive(Params)]
pub struct Wanders {}

#[model]
impl Friction for Wanders {
    type State = Draws;
    const RANDOM: bool = true;

    fn force(&self, wheel: &Wheel, step: &Step, draws: &mut Draws) -> Force {
        draws.last.push(0.6 + 0.2 * step.random().normal().clamp(-1.0, 1.0));
        if draws.last.len() > 20 {
            draws.last.remove(0);
        }
        let mean = draws.last.iter().sum::<f64>() / draws.last.len() as f64;
        draws.mean = 0.9 * draws.mean + 0.1 * mean;
        wheel.oppose_sliding(draws.mean, step)
    }
}

/// Memory of [`Loses`].
#[derive(State)]
pub struct Lost {
    /// Heat of the tyre.
    #[state(unit = "K")]
    heat: f64,
}

/// Clears its memory at half a second. No state shows it.
#[derive(Params)]
pub struct Loses {}

#[model]
impl Friction for Loses {
    type State = Lost;

    fn force(&self, wheel: &Wheel, step: &Step, lost: &mut Lost) -> Force {
        lost.heat += 1.0 / if step.time < 0.5 { 1.0 } else { 0.0 };
        wheel.oppose_sliding(0.8, step)
    }
}

/// A class with the same name as a class of another plugin.
#[derive(Params)]
pub struct Burckhardt {}

#[model]
impl Friction for Burckhardt {
    fn force(&self, wheel: &Wheel, step: &Step, _: &mut ()) -> Force {
        wheel.oppose_sliding(0.8, step)
    }
}

/// Loses a number.
#[derive(Params)]
pub struct Blind {
    /// Whether a ray is lost, or else a reading.
    #[param(default = false)]
    ray: bool,
}

/// A reading.
#[derive(Ports)]
pub struct Seen {
    /// Always lost, unless a ray is.
    #[port(unit = "m")]
    distance: f64,
    /// Never known.
    #[port(unit = "m", unknown)]
    height: f64,
}

#[model]
impl Sensor for Blind {
    fn rays(&self) -> usize {
        1
    }

    fn aim(&self, aim: &mut Aim, _: &mut Random) {
        aim.angles[0] = if self.ray { f64::NAN } else { 0.0 };
    }

    fn read(&self, _: &(), _: &mut RayReadings, _: &mut Random, _: &Step, _: &mut ()) -> Seen {
        Seen { distance: if self.ray { 1.0 } else { f64::INFINITY }, height: f64::NAN }
    }
}

export_plugin! {
    vendor: "faulty",
    friction: {
        "panics_late" => PanicsLate,
        "not_a_number" => NotANumber,
        "refuses" => Refuses,
        "panics_early" => PanicsEarly,
        "stiff" => Stiff,
        "counts" => Counts,
        "hangs" => Hangs,
        "crashes" => Crashes,
        "wanders" => Wanders,
        "loses" => Loses,
        "burckhardt_slip" => Burckhardt,
        "default" => Burckhardt,
    },
    sensor: { "blind" => Blind },
}
