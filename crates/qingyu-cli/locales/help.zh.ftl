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
command-replay = 不联网重放一次录制的运行，或换模型、换提示词重放
command-estimate = 执行之前，估算一条命令的花费
command-cost = 查看花了多少
command-models = 列出模型供应商，以及哪个模型负责什么
command-doctor = 检查安装是否正常
command-config = 查看设置及其来处，或设置文件在哪里
command-rules = 列出查错规则，或解释其中一条
command-graph = 画出项目的故事图谱，或运行所走的图
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

argument-graph-name = 项目，或运行所走的图，如 pipeline；不写则列出后者
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
command-tools = 列出智能体、人和其他程序使用的工具，或说明其中一个
command-tool = 对项目调用一个工具
argument-tools-name = 工具名，如 character_tool
argument-tool-project = 项目
argument-tool-tool = 工具，如 character_tool
argument-tool-arguments = 参数（JSON）；- 读标准输入，@文件 读文件
command-mcp = 通过标准输入输出，向 MCP 客户端提供工具、项目和提示
argument-mcp-project = 调用没有指明项目时所指的项目
argument-mcp-allow = 客户端可以做什么
argument-mcp-allow-read = 只读
argument-mcp-allow-write = 改动项目
argument-mcp-allow-admin = 还可以使用其他服务器的工具
command-memory = 查看和修改关于您的记忆
command-list = 列出记住的内容及其依据
command-add = 记住一件事
command-edit = 修改记住的内容，或让它生效、停用
command-forget = 忘掉一条，或全部
argument-list-words = 只看含这些词的，最相关的在前
argument-list-kind = 只看这一类
argument-list-kind-preference = 您喜欢什么、不喜欢什么；智能体会看到
argument-list-kind-history = 做过的事
argument-list-kind-knowledge = 您知道的事
argument-list-project = 只看在这个项目里有效的：它自己的，以及所有项目的
argument-add-text = 要记住什么，用您自己的话；- 读标准输入，@文件 读文件
argument-add-kind = 哪一类
argument-add-kind-preference = 您喜欢什么、不喜欢什么；智能体会看到
argument-add-kind-history = 做过的事
argument-add-kind-knowledge = 您知道的事
argument-add-project = 只在这个项目里
argument-edit-memory = 记忆；编号写前几位即可
argument-edit-text = 换一种说法
argument-edit-on = 从现在起告诉智能体
argument-edit-off = 不告诉智能体，再见到也不
argument-forget-memory = 记忆；编号写前几位即可
argument-forget-all = 全部
argument-forget-unasked = 忘掉全部之前不再询问
command-search = 检索项目：正文、人物卡、事件、事实
command-ask = 就项目提问，回答附出处
command-index = 补齐检索用的向量，或重建检索索引
argument-search-project = 项目
argument-search-text = 词或问题；- 读标准输入，@文件 读文件
argument-search-kinds = 只找哪几类：character、chapter、event 等，逗号分开
argument-search-condition = 只找符合条件的，如 'role_type = protagonist and traits contains 勇敢'
argument-search-before = 只找这一章之前讲述的
argument-search-at = 为写这一章而找：只找之前的，与本章相关的优先
argument-search-limit = 最多几条
argument-search-rerank = 请模型重新排序
argument-search-explain = 显示每条是怎么找到的、各排第几
argument-ask-project = 项目
argument-ask-question = 问题；- 读标准输入，@文件 读文件
argument-ask-before = 只依据这一章之前讲述的
argument-ask-budget = 作答所用的片段最多多少 token（6000）
argument-ask-explain = 列出看过的所有片段，不只是答案所依据的
argument-index-project = 项目
argument-index-rebuild = 丢掉索引，从头再建
argument-graph-as-of = 故事图谱截至何时：chapter:30、事件，或故事里的时间
argument-graph-pattern = 只画这个查询找到的，如 'within 2 (a "林青")'
argument-graph-most = 故事图谱最多画几个（40）
argument-graph-format-json = 节点和边的数据

command-write = 写章节：起草、查错、修正、入账
command-correct = 修正各章正文里查出的问题
command-rewrite = 按您说的重写一章或其中一段
argument-write-project = 项目；编号写前几位即可
argument-write-chapters = 哪几章，如 1-3,7（否则全部未写的章）
argument-write-words = 每章字数（中文按字，英文按词；否则按大纲）
argument-write-style-from = 仿照这个文件的文风；- 读标准输入
argument-write-brief = 不写正文：只定每章计划，备好要知道的材料
argument-write-model = 全部角色所用的模型，如 deepseek/deepseek-chat
argument-write-set = 本次运行的任意设置，如 writing.max_retries=1；可多次
argument-correct-project = 项目；编号写前几位即可
argument-correct-chapters = 哪几章，如 1-3,7（否则全部已写的章）
argument-correct-model = 全部角色所用的模型，如 deepseek/deepseek-chat
argument-correct-set = 本次运行的任意设置，如 writing.max_retries=1；可多次
argument-rewrite-project = 项目；编号写前几位即可
argument-rewrite-chapter = 第几章
argument-rewrite-instruction = 要改成什么样，用您自己的话；- 读标准输入
argument-rewrite-range = 只改这些字，如 120:480，从 0 数起；其余不动
argument-rewrite-paragraphs = 只改这些段，如 3:5，从 1 数起；其余不动
argument-rewrite-model = 全部角色所用的模型，如 deepseek/deepseek-chat
argument-rewrite-set = 本次运行的任意设置，如 writing.max_retries=1；可多次

argument-replay-source = 运行（编号写前几位即可），或录制文件
argument-replay-model = 没有录制的调用问这个模型；角色=模型 只换这个角色
argument-replay-prompt = 换提示词，如 outline/generate.zh.md=文件；或一个目录
argument-replay-keep = 保留项目
argument-replay-title = 所保留项目的标题

argument-estimate-command = 要估算的命令
argument-estimate-command-create = 做出故事
argument-estimate-command-write = 写章节
argument-estimate-command-analyze = 分析文字
argument-estimate-command-review = 发布前审查文字
argument-estimate-command-task = 用您自己的话交代的任务
argument-estimate-subject = 对象：需求、项目、文件或任务
argument-estimate-project = create 所续写的项目
argument-estimate-chapters = 哪些章，如 1-3,7（否则是所有还没写的）
argument-estimate-words = 每章多少字（否则按大纲）
argument-estimate-model = 全部角色所用的模型

argument-cost-of = 项目或运行（否则全部）
argument-cost-by = 按什么分开
argument-cost-by-run = 运行
argument-cost-by-project = 项目
argument-cost-by-chapter = 章节
argument-cost-by-agent = 智能体
argument-cost-by-purpose = 调用
argument-cost-by-model = 模型
argument-cost-by-day = 日期

argument-models-prices = 改为列出已知的价格
argument-resume-set = 从此处起的任意设置，如 budget.money=8；可多次使用
