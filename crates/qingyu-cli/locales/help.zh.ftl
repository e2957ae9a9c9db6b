# 中文帮助。英文帮助是源码里参数的注释；有测试保证每个命令、参数和取值都有中文。

help-usage = 用法：
help-usage-options = [选项]
help-usage-command = <命令>
help-commands = 命令
help-arguments = 参数
help-options = 选项
help-global = 通用选项
help-values = {" "}［可取：{ $values }］
help-default = ［默认：{ $value }］

command-qingyu = 规划、立人、布局、查错、修正长篇小说
command-create = 由一句需求做出故事：规划、写出材料、审校并修正
command-runs = 列出全部运行
command-projects = 列出全部项目
command-show = 查看项目，或其中一个视图
command-resume = 继续一次停下、失败或等人决定的运行
command-models = 列出模型供应商，以及哪个模型负责什么
command-doctor = 检查安装是否正常
command-config = 查看设置及其来处，或设置文件在哪里
command-rules = 列出查错规则，或解释其中一条
command-graph = 列出运行所走的图，或画出其中一个
command-help = 显示帮助

argument-json = 输出一份 JSON 文档，不输出文字
argument-home = 数据与设置的目录（否则 QINGYU_HOME，再否则系统目录）
argument-ui-lang = 界面语言
argument-ui-lang-zh = 中文
argument-ui-lang-en = 英文
argument-color = 何时使用颜色
argument-color-auto = 在终端上使用，除非设置了 NO_COLOR
argument-color-always = 总是
argument-color-never = 从不
argument-verbose = 把日志写到标准错误；写两次更详细（QINGYU_LOG 可细调）
argument-help = 显示帮助
argument-version = 显示版本
argument-events = 每个事件输出一行 JSON
argument-yes = 从不询问：需要人决定时停下（退出码 3）
argument-quiet = 只说结果

argument-create-requirement = 要写什么，用您自己的话；- 读标准输入，@文件 读文件
argument-create-lang = 作品的语言（否则与需求相同）
argument-create-lang-zh = 中文
argument-create-lang-en = 英文
argument-create-project = 续写或修改这个项目，而不新建
argument-create-title = 新项目的标题
argument-create-model = 全部角色所用的模型，如 deepseek/deepseek-chat 或 offline-rules-1
argument-create-max-iterations = 最多修正几轮，之后请人决定
argument-create-no-planner = 不问规划，直接用默认计划
argument-create-no-meta-scheduler = 只审校一次，不修正
argument-create-no-workspace-context = 除步骤所依赖的之外，不给智能体看别的材料
argument-create-no-rag = 不检索段落
argument-create-no-knowledge-graph = 不查人物关联
argument-create-set = 本次运行的任意设置，如 pipeline.max_iterations=2；可多次使用

argument-show-project = 项目，或它的一次运行；编号写前几位即可
argument-show-view = 视图；不写则给概览
argument-show-view-outline = 大纲（树形）
argument-show-view-characters = 人物卡片
argument-show-view-relations = 人物关系
argument-show-view-timeline = 时间线
argument-show-view-world = 世界观
argument-show-view-plot = 情节
argument-show-view-style = 文风指南
argument-show-view-report = 最近一次审校的报告
argument-show-view-reasoning = 最近一次运行的推理
argument-show-view-provenance = 各条目由哪次运行、哪个智能体、哪个提示词和模型做出

argument-resume-run = 运行，或项目（取其最新的运行）；编号写前几位即可
argument-resume-approve = 照此通过
argument-resume-reject = 退回，并说明意见
argument-resume-edit = 换成这个 JSON 文件里的材料；- 读标准输入

argument-config-what = 写 path 则只说设置文件在哪里
argument-config-what-path = 设置文件在哪里
argument-config-project = 连同这个项目的设置

argument-rules-code = 规则代码，如 QY101

argument-graph-name = 图，如 pipeline
argument-graph-format = 画成什么
argument-graph-format-mermaid = 文本，能看 Markdown 的程序会画出来
argument-graph-format-svg = 图片
argument-graph-output = 把图写进这个文件
command-check = 用规则检查故事，并修正能确定修正的地方
command-waive = 写明理由，放过一处发现
command-ask-facts = 查问故事里什么是真的、截至何时、谁知道、哪句话说的
command-impact = 查看改动一个条目会牵涉什么
command-import-story = 把故事文件变成项目
command-export-story = 把故事按现在或从前的样子输出为 JSON
command-log = 查看谁对故事做过什么
command-undo = 撤销对故事的一次改动
argument-check-project = 项目，或以 .json 结尾的故事文件
argument-check-rule = 只看编号以此开头的规则，如 QY2 或 QS011；可多次使用
argument-check-fix = 执行能确定的修正；可用 undo 撤销
argument-check-sarif = 以 SARIF 2.1.0 格式输出
argument-waive-project = 项目
argument-waive-finding = 发现的编号，如 QY101-5f2a91；或规则编号，表示它的全部发现
argument-waive-reason = 为什么可以放过
argument-waive-owner = 谁决定的
argument-ask-facts-project = 项目
argument-ask-facts-about = 问谁或什么：名字、别名或编号
argument-ask-facts-predicate = 只问这个谓词，如 location 或 持有
argument-ask-facts-as-of = 截至何时：事件、故事里的时间，或一章（到它结束时已讲述的）
argument-impact-project = 项目
argument-impact-piece = 要改动的条目：编号、名字或别名
argument-impact-steps = 追踪几步；不写则全部
argument-import-story-file = 文件（格式见 docs/story-format.md）；- 读标准输入
argument-import-story-title = 项目的标题
argument-export-story-project = 项目
argument-export-story-at = 这次改动之后的样子；0 表示最初
argument-log-project = 项目
argument-undo-project = 项目
argument-undo-change = 改动的编号；不写则撤销最新一次
