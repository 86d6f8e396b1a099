use simhost_sdk::prelude::*;

/// Ends the run when a vehicle stands at its goal, and writes how it got there.
#[derive(Params)]
pub struct GoalMetric {
    /// Name of the vehicle.
    #[param(required)]
    vehicle: String,
    /// Goal, world frame.
    #[param(required, unit = "m")]
    goal: [f64; 2],
    /// Distance from the goal within which the vehicle has arrived. A larger value ends the run earlier.
    #[param(default = 0.3, above = 0.0, unit = "m")]
    tolerance: f64,
    /// Speed below which the vehicle stands. A larger value ends the run earlier.
    #[param(default = 0.01, above = 0.0, unit = "m/s")]
    rest: f64,
}

/// The way so far.
pub struct Way {
    pose: Place,
    twist: Place,
    from: Option<[f64; 2]>,
    last: [f64; 2],
    length: f64,
    arrived: bool,
}

fn distance(from: [f64; 2], to: [f64; 2]) -> f64 {
    let [x, y] = [to[0] - from[0], to[1] - from[1]];
    (x * x + y * y).sqrt()
}

#[model]
impl Observer for GoalMetric {
    const STOPS: bool = true;

    fn select(&self) -> Vec<String> {
        ["pose", "twist"].map(|name| format!("{}/{name}", self.vehicle)).to_vec()
    }

    fn start(&self, run: &RunStart) -> Result<Way, String> {
        let place = |name: &str| run.find(&format!("{}/{name}", self.vehicle));
        let (pose, twist) = (place("pose")?, place("twist")?);
        Ok(Way { pose, twist, from: None, last: [0.0; 2], length: 0.0, arrived: false })
    }

    fn step(&self, way: &mut Way, sample: &Sample) -> Flow {
        let at = [sample[way.pose][0], sample[way.pose][1]];
        let speed = distance([0.0; 2], [sample[way.twist][0], sample[way.twist][1]]);
        if way.from.is_none() {
            (way.from, way.last) = (Some(at), at);
        }
        way.length += distance(way.last, at);
        way.last = at;
        way.arrived = distance(at, self.goal) <= self.tolerance && speed < self.rest;
        match way.arrived {
            true => Flow::stop(format!("{} stands at its goal", self.vehicle)),
            false => Flow::Continue,
        }
    }

    fn end(&self, way: &mut Way, end: &RunEnd) -> Result<(), String> {
        let direct = distance(way.from.unwrap_or(way.last), way.last);
        let (arrived, length, time) = (way.arrived, way.length, end.last.time);
        let text = format!(
            "arrived,time_s,length_m,direct_m,detour\n{arrived},{time},{length},{direct},{}\n",
            length / direct
        );
        end.folder.write("goal.csv", &text)
    }
}

export_plugin! { vendor: "example", observer: { "goal_metric" => GoalMetric } }
