// One puzzle from standard input (instance.py writes it), solved by Gecode: prints the number of solutions (2 for more)
// and milliseconds of CPU: building the model, then to the first solution, then to the proof.
//
//     c++ -O2 -o gecode_exact gecode_exact.cpp -lgecodesearch -lgecodeminimodel -lgecodeint -lgecodekernel -lgecodesupport

#include <ctime>
#include <iostream>
#include <string>
#include <vector>

#include <gecode/int.hh>
#include <gecode/search.hh>

using namespace Gecode;

namespace {

double cpu_ms() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

struct Clue {
  char kind;  // t tuples, + sum, * product
  std::vector<int> cells;
  std::vector<std::vector<int>> tuples;
  long long target = 0;
};

struct Instance {
  int cells = 0;
  std::vector<int> digits;
  std::vector<std::vector<int>> distinct;
  std::vector<Clue> clues;
};

std::vector<int> numbers(int count) {
  std::vector<int> all(count);
  for (int& number : all) std::cin >> number;
  return all;
}

std::vector<int> list() {
  int count;
  std::cin >> count;
  return numbers(count);
}

Instance read() {
  Instance instance;
  std::cin >> instance.cells;
  instance.digits = list();
  int groups, clues;
  std::cin >> groups;
  for (int group = 0; group < groups; ++group) instance.distinct.push_back(list());
  std::cin >> clues;
  for (int index = 0; index < clues; ++index) {
    Clue clue;
    std::cin >> clue.kind;
    clue.cells = list();
    if (clue.kind == 't') {
      int tuples;
      std::cin >> tuples;
      for (int tuple = 0; tuple < tuples; ++tuple) clue.tuples.push_back(numbers(static_cast<int>(clue.cells.size())));
    } else {
      std::cin >> clue.target;
    }
    instance.clues.push_back(clue);
  }
  return instance;
}

class Puzzle : public Space {
 public:
  explicit Puzzle(const Instance& instance)
      : cells(*this, instance.cells,
              IntSet(instance.digits.data(), static_cast<int>(instance.digits.size()))) {
    for (const auto& group : instance.distinct) Gecode::distinct(*this, of(group), IPL_DOM);
    for (const Clue& clue : instance.clues) post(clue);
    branch(*this, cells, INT_VAR_AFC_SIZE_MAX(0.99), INT_VAL_MIN());
  }

  Puzzle(Puzzle& other) : Space(other) { cells.update(*this, other.cells); }

  Space* copy() override { return new Puzzle(*this); }

 private:
  IntVarArray cells;

  IntVarArgs of(const std::vector<int>& group) {
    IntVarArgs variables;
    for (int cell : group) variables << cells[cell];
    return variables;
  }

  void post(const Clue& clue) {
    IntVarArgs variables = of(clue.cells);
    if (clue.kind == 't') {
      TupleSet tuples(static_cast<int>(clue.cells.size()));
      for (const auto& tuple : clue.tuples) {
        IntArgs values(static_cast<int>(tuple.size()), tuple.data());
        tuples.add(values);
      }
      tuples.finalize();
      extensional(*this, variables, tuples);
    } else if (clue.target > Int::Limits::max) {
      fail();  // no sum of so few digits; instance.py writes products beyond 32 bits as tuples or not at all
    } else if (clue.kind == '+') {
      linear(*this, variables, IRT_EQ, static_cast<int>(clue.target));
    } else {
      product(variables, static_cast<int>(clue.target));
    }
  }

  void product(const IntVarArgs& variables, int target) {
    IntVar so_far = variables[0];
    for (int index = 1; index < variables.size(); ++index) {
      IntVar next(*this, 0, target);
      mult(*this, so_far, variables[index], next);
      so_far = next;
    }
    rel(*this, so_far, IRT_EQ, target);
  }
};

}  // namespace

int main() {
  const Instance instance = read();
  const double start = cpu_ms();
  auto* puzzle = new Puzzle(instance);
  const double built = cpu_ms();
  DFS<Puzzle> search(puzzle);
  delete puzzle;
  int count = 0;
  double first = built;
  while (count < 2) {
    Puzzle* solution = search.next();
    if (solution == nullptr) break;
    delete solution;
    if (count++ == 0) first = cpu_ms();
  }
  std::cout << count << ' ' << built - start << ' ' << first - built << ' ' << cpu_ms() - built << '\n';
}
