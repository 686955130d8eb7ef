"""Long work in processes of its own: started, watched, cancelled and resumed by whoever can read its folder.

    folder = new_folder(settings, "train")
    job = start("train", ["python", "-m", "clew.trainer", "run", "sft"], folder, about={"recipe": "sft"})
    job.state, job.progress, job.log()

A job outlives the process that started it: all that is known of it lies in its folder, as small files that are replaced
at once. ``python -m clew.runs FOLDER`` is the process that watches the work, and notes how it ended.
"""

from clew.runs.job import Job, State, find, jobs, new_folder, start, tell

__all__ = ["Job", "State", "find", "jobs", "new_folder", "start", "tell"]
