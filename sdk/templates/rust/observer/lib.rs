use simhost_sdk::prelude::*;

/// Ends the run when a vehicle has driven a distance, and writes the distance and the time to a file.
#[derive(Params)]
pub struct TemplateName {
    /// Name of the vehicle.
    #[param(default = "robot")]
    vehicle: String,
    /// Distance to drive. A larger value makes the run longer.
    #[param(default = 10.0, above = 0.0, unit = "m")]
    distance: f64,
}

/// The trip during one run.
pub struct Trip {
    file: String,
    pose: Place,
    last: Option<[f64; 2]>,
    distance: f64,
}

#[model]
impl Observer for TemplateName {
    const STOPS: bool = true;

    fn select(&self) -> Vec<String> {
        vec![format!("{}/pose", self.vehicle)]
    }

    fn start(&self, run: &RunStart) -> Result<Trip, String> {
        let pose = run.find(&format!("{}/pose", self.vehicle))?;
        Ok(Trip { file: format!("{}.csv", run.name), pose, last: None, distance: 0.0 })
    }

    fn step(&self, trip: &mut Trip, sample: &Sample) -> Flow {
        let [x, y] = [sample[trip.pose][0], sample[trip.pose][1]];
        let [x0, y0] = trip.last.replace([x, y]).unwrap_or([x, y]);
        trip.distance += ((x - x0) * (x - x0) + (y - y0) * (y - y0)).sqrt();
        match trip.distance >= self.distance {
            true => Flow::stop(format!("{} has driven {} m", self.vehicle, self.distance)),
            false => Flow::Continue,
        }
    }

    fn end(&self, trip: &mut Trip, end: &RunEnd) -> Result<(), String> {
        let text = format!("distance_m,time_s\n{},{}\n", trip.distance, end.last.time);
        end.folder.write(&trip.file, &text)
    }
}

export_plugin! { vendor: "template_vendor", observer: { "template_name" => TemplateName } }
