// Steps a world with MVSim, without windows and without a server: driver WORLD STEPS.
// The step is that of the world file, 5 ms. Prints CPU time of loading and of the steps, s.

#include <mvsim/World.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

int main(int argc, char** argv)
{
	if (argc != 3)
	{
		std::fprintf(stderr, "usage: driver WORLD STEPS\n");
		return 2;
	}
	const auto seconds = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
	const double start = seconds();
	mvsim::World world;
	world.headless(true);
	world.load_from_XML_file(argv[1]);
	const double loaded = seconds();
	for (long left = std::atol(argv[2]); left > 0; left--) world.run_simulation(0.005);
	std::printf("%.6f %.6f\n", loaded - start, seconds() - loaded);
	return 0;
}
