"""What was measured, and why something was not."""

NAMES = {
    "ours": "qingyu-graph",
    "langgraph": "LangGraph 1.2.22",
    "juncture": "juncture 0.4.0",
    "adk": "adk-graph 2.3.0",
}


class NotMeasured(Exception):
    """Why a number is not there."""


class Results:
    """Every reading, by work and program."""

    def __init__(self) -> None:
        self.readings: dict[tuple[str, str], list[dict]] = {}
        self.missing: dict[tuple[str, str], str] = {}

    def add(self, work: str, program: str, reading: dict) -> None:
        self.readings.setdefault((work, program), []).append(reading)

    def lack(self, work: str, program: str, why: str) -> None:
        self.missing[work, program] = why

    def has(self, work: str, program: str) -> bool:
        return (work, program) in self.readings

    def all(self, work: str, program: str, key: str) -> list[float]:
        """The readings in order of size; raises `NotMeasured` if there are none."""
        if not self.has(work, program):
            raise NotMeasured(f"{NAMES[program]}: {self.missing.get((work, program), 'left out of this run')}")
        return sorted(reading[key] for reading in self.readings[work, program])

    def least(self, work: str, program: str, key: str) -> float:
        """The least disturbed reading: other programs on the machine can only add to it."""
        return self.all(work, program, key)[0]

    def median(self, work: str, program: str, key: str) -> float:
        """The reading in the middle, where the disk decides."""
        readings = self.all(work, program, key)
        return readings[len(readings) // 2]
