"""An observer."""

import numpy as np
import simhost
from simhost import Parameter


@simhost.model("observer", "template_vendor/template_name")
class TemplateName:
    """Ends the run when a vehicle has driven a distance, and writes the distance and the time to a file."""

    vehicle = Parameter("robot", "1", "Name of the vehicle.")
    distance = Parameter(10.0, "m", "Distance to drive. A larger value makes the run longer.", low=1e-6)
    stops = True

    def select(self):
        return [f"{self.vehicle}/pose"]

    def start(self, run):
        if f"{self.vehicle}/pose" not in run.quantities:
            raise ValueError(f"the world has no vehicle {self.vehicle!r}")
        return {"run": run, "last": None, "distance": 0.0}

    def step(self, trip, sample):
        place = sample[f"{self.vehicle}/pose"][:2].copy()
        if trip["last"] is not None:
            trip["distance"] += float(np.hypot(*(place - trip["last"])))
        trip["last"] = place
        if trip["distance"] >= self.distance:
            return f"{self.vehicle} has driven {self.distance} m"
        return None

    def end(self, trip, end):
        run = trip["run"]
        if run.folder is None:
            return []
        name = f"{run.name}.csv"
        (run.folder / name).write_text(f"distance_m,time_s\n{trip['distance']},{end.last.time}\n")
        return [name]
