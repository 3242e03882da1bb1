// The page Lab.
