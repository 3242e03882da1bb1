// Puzzles to begin with, in formats that kenga reads.

export const EXAMPLES = [
  { name: 'KenKen 6x6', text: '6:aba_4a_4a4bcba_8aa__aab_a,a13m180a9a2m20a15m6a11a3a9d2a18a8' },
  { name: 'KenKen 4x4', text: '4:b_a4_a_6aa,m8s1a6s1m4a3d2' },
  { name: 'KenKen 9x9, unreasonable', text: '9du:_3a3__a_5aa_3aa_4b_5a_3aa_4a_6a_3a_a4_c_4b_4b_3aa_4a3_a3c_4aa_4a4,m24m48a11a15m108a9a11m70s4d4s6a6m12s3a5a13m24a10s4m48s2m18s1s1d2s1m288m18a13d3d3s4d2d2s1a8s1' },
  { name: 'KenKen 6x6 without a solution', text: '6:a__b_4a_3a_3aa_a_a_aa_4a_3a5_aa_,a9s2m6d2m6d2a6a5s1m12a3m50s2d3a5s2s2' },
  { name: 'Sudoku 9x9', text: '.....2369...18....2.4..3...64..9.....1.3.......5..7..31.............1426.2.8...5.' },
  { name: 'Killer 6x6', text: 'https://f-puzzles.com/?load=N4IgzglgXgpiBcA2ANCA5gJwgEwQbT2AF9ljSSzKiBdZQih8p42+5xq1q99rj/8nx7cWtEAGsIAGykwMAYwCGaOPEIh5MGWHwgASgEYAwgZCo9AJhNn9AZmtiAboqkBXVSAMWQFDVqk6avrG3uZWofpWtiBOLu4IIACcPqR+2rqGRtHmxgAsMajObh4GAAwpoJrpQZkArDaZiAUgRfHwIAAcFWkBGVb5YUb15vb5scUJTb5VvTVWTSNGTeNtnqbT/oF4dkYRevbRKx71G9Xb+0MNuZfm18uFcR4A7N0zW/rXpre7za3Hr5sMtdsh8jAN9LUsr9HgkDCdUm8MpCvhCfuZEA4HhN2slTrNzpDwXpIfUjrD1gjATVIQt9Bj7i0Ye0ppSznS0ezDljVl08e89BiiRjSdyPPkaKgwAB7NwAFwgUoAdvgLMgDMgULlkLVkLZkFqdXrVeqUJq1brkKrDZbtRr9eb1XqDXarS7zU7qEQgA==' },
  { name: 'Kakuro 6x6', text: '\\,\\,\\,14\\,18\\,\\\n\\,14\\,10\\11,_,_,23\\\n\\20,_,_,_,_,_\n\\12,_,_,3\\17,_,_\n\\16,_,_,_,_,_\n\\,\\6,_,_,\\,\\\n' },
  { name: 'Futoshiki 6x6', text: '6:0,0,0,0,0,1,0,5,0U,3,0,0,0R,0,0,4,5U,0,0,0L,0,0R,3,0U,0,0,0U,5,0,0,4,0,0,0,0,0U,' },
  { name: 'Queens 8x8', text: '{"kind":"queens","size":8,"id":"queens-8x8"}' },
];
