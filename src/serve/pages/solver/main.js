// The page Solver.
