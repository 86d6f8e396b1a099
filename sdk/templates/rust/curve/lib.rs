use simhost_sdk::prelude::*;

/// Measured curve of an actuator: its output is a function of the command, from a file.
#[derive(Params)]
pub struct TemplateName {
    /// Curve: lines with a command and a value, separated by a comma, with rising commands. Linear between the
    /// points, and level beyond them.
    #[param(required)]
    curve: TextFile,
    #[param(skip)]
    points: Vec<[f64; 2]>,
}

impl TemplateName {
    /// Returns the value of a command.
    fn value(&self, command: f64) -> f64 {
        let after = self.points.partition_point(|point| point[0] < command);
        let [low, high] = [after.saturating_sub(1), after.min(self.points.len() - 1)];
        let ([x0, y0], [x1, y1]) = (self.points[low], self.points[high]);
        if x1 > x0 { y0 + (y1 - y0) * (command - x0) / (x1 - x0) } else { y1 }
    }
}

#[model]
impl Actuator for TemplateName {
    // the host has read the file; an error is shown at its element in the world file
    fn prepare(&mut self) -> Result<(), String> {
        for (number, line) in self.curve.text.lines().enumerate() {
            let mut numbers = line.split(',').map(|number| number.trim().parse::<f64>());
            let (Some(Ok(x)), Some(Ok(y)), None) = (numbers.next(), numbers.next(), numbers.next())
            else {
                let (file, line_number) = (&self.curve.path, number + 1);
                return Err(format!("{file}:{line_number}: found {line:?}, expected two numbers"));
            };
            self.points.push([x, y]);
        }
        let is_finite = self.points.iter().flatten().all(|number| number.is_finite());
        let is_rising = self.points.is_sorted_by(|one, next| one[0] < next[0]);
        if self.points.is_empty() || !is_finite || !is_rising {
            return Err(format!("{}: expected lines with rising commands", self.curve.path));
        }
        Ok(())
    }

    fn actuate(&self, command: f64, _: &(), _: &Step, _: &mut ()) -> f64 {
        self.value(command)
    }
}

export_plugin! { vendor: "template_vendor", actuator: { "template_name" => TemplateName } }
