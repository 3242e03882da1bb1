// The page Bench.
