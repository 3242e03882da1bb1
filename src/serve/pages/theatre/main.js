// The page Theatre.
