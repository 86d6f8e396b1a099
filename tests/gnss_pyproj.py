"""Compares the readings of `gnss` with pyproj.

Usage: python gnss_pyproj.py SIMHOST

Runs worlds on four continents, near the poles and in UTM coordinates, each with receivers up to 40 km from
the origin, and converts the same points with pyproj. Positions on Earth and UTM coordinates must agree
within 1 mm.
"""

import csv
import math
import pathlib
import subprocess
import sys
import tempfile

from pyproj import Transformer
from pyproj.aoi import AreaOfInterest
from pyproj.database import query_utm_crs_info

TOLERANCE_M = 1e-3

# latitude, longitude, deg; height, m; rotation to east-north-up, deg
PLACES = [
    (48.2625, 11.6679, 480.0, 0.0),
    (-33.8567, 151.2152, 12.0, 35.0),
    (40.6892, -74.0445, -3.0, -120.0),
    (60.39, 5.32, 25.0, 90.0),
    (78.22, 15.65, 300.0, 10.0),
    (-77.85, 166.67, 20.0, 180.0),
    (0.01, -78.5, 2800.0, 5.0),
    (-16.5, 179.999, 100.0, 0.0),
]
POINTS = [(0, 0, 0), (3, -4, 1.5), (1000, 2000, 50), (-40000, 30000, 900), (250, -12000, -20)]


def sensors(points):
    return "".join(
        f'<sensor class="gnss" name="at{number}"><pose_3d>{x!r} {y!r} {z!r} 0 0 0</pose_3d>'
        "<horizontal_std_noise>0</horizontal_std_noise><vertical_std_noise>0</vertical_std_noise>"
        "</sensor>"
        for number, (x, y, z) in enumerate(points)
    )


def readings(simhost, place, points):
    """Returns the last row of each receiver in a world."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        world = folder / "world.xml"
        world.write_text(
            "<mvsim_world><simul_timestep>0.1</simul_timestep>"
            f"<georeference>{place}</georeference>{sensors(points)}</mvsim_world>"
        )
        command = [simhost, str(world), "--duration", "0.1", "--out", str(folder / "out")]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        rows = []
        for number in range(len(points)):
            with open(folder / "out" / f"world.at{number}.csv", newline="") as file:
                rows.append({key: float(value) for key, value in list(csv.DictReader(file))[-1].items()})
        return rows


def geocentric(latitude, longitude, height):
    return Transformer.from_pipeline("+proj=cart +ellps=WGS84").transform(
        math.radians(longitude), math.radians(latitude), height, radians=True
    )


def check_position(row, latitude, longitude, height):
    found = geocentric(row["latitude_deg"], row["longitude_deg"], row["altitude_m"])
    error = math.dist(found, geocentric(latitude, longitude, height))
    assert error < TOLERANCE_M, f"{row}: {error} m from {latitude} {longitude} {height}"
    return error


def check_utm(row, latitude, longitude):
    zone, band = int(row["utm_zone"]), chr(int(row["utm_band"]))
    south = "+south" if latitude < 0 else ""
    utm = Transformer.from_pipeline(f"+proj=utm +zone={zone} {south} +ellps=WGS84")
    easting, northing = utm.transform(math.radians(longitude), math.radians(latitude), radians=True)
    error = math.dist((easting, northing), (row["utm_easting_m"], row["utm_northing_m"]))
    assert error < TOLERANCE_M, f"{row}: {error} m from {easting} {northing}"
    assert (band >= "N") == (latitude >= 0), f"{row}: band {band}"
    # the zones around Norway and Svalbard have exceptions that the database does not know
    if latitude < 56:
        here = AreaOfInterest(longitude, latitude, longitude, latitude)
        names = [crs.name for crs in query_utm_crs_info(datum_name="WGS 84", area_of_interest=here)]
        assert any(f"zone {zone}" in name for name in names), f"zone {zone} is none of {names}"
    return error


def main(simhost):
    worst = 0.0
    for latitude, longitude, height, rotation in PLACES:
        place = (
            f"<latitude>{latitude}</latitude><longitude>{longitude}</longitude>"
            f"<height>{height}</height>"
            f"<world_to_enu_rotation_deg>{rotation}</world_to_enu_rotation_deg>"
        )
        pipeline = Transformer.from_pipeline(
            "+proj=pipeline +step +inv +proj=topocentric +ellps=WGS84 "
            f"+lon_0={longitude} +lat_0={latitude} +h_0={height} "
            "+step +inv +proj=cart +ellps=WGS84"
        )
        sin, cos = math.sin(math.radians(rotation)), math.cos(math.radians(rotation))
        for row, (x, y, z) in zip(readings(simhost, place, POINTS), POINTS):
            east, north = cos * x - sin * y, sin * x + cos * y
            lon, lat, up = pipeline.transform(east, north, z, radians=True)
            lon, lat = math.degrees(lon), math.degrees(lat)
            worst = max(worst, check_position(row, lat, lon, up), check_utm(row, lat, lon))
    # world coordinates of zone 32
    utm = Transformer.from_pipeline("+proj=utm +zone=32 +ellps=WGS84")
    place = (
        "<latitude>48.2625</latitude><longitude>11.6679</longitude><height>480</height>"
        "<world_is_utm>true</world_is_utm>"
    )
    points = [(697_900.0, 5_348_900.0, 0.0), (690_000.0, 5_340_000.0, 30.0)]
    for row, (x, y, z) in zip(readings(simhost, place, points), points):
        lon, lat = utm.transform(x, y, radians=True, direction="INVERSE")
        lat, lon = math.degrees(lat), math.degrees(lon)
        worst = max(worst, check_position(row, lat, lon, 480.0 + z), check_utm(row, lat, lon))
    print(f"gnss agrees with pyproj within {worst * 1e3:.6f} mm")


if __name__ == "__main__":
    main(sys.argv[1])
